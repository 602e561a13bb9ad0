/** The used part of the script's API (docs.stripe.com/js). */
export type StripeProblem = { type?: string; code?: string; message?: string }
export type StripeIntent = { id: string; status: string }

export type StripeElement = {
  mount(place: HTMLElement): void
  destroy(): void
  on(name: 'ready', listener: (event: { availablePaymentMethods?: object | null }) => void): StripeElement
  on(name: 'loaderror' | 'confirm', listener: () => void): StripeElement
}

export type StripeElements = {
  create(kind: 'payment' | 'expressCheckout', options?: object): StripeElement
  submit(): Promise<{ error?: StripeProblem }>
}

export type StripeBrowser = {
  elements(options: { clientSecret: string; locale: string; appearance: object }): StripeElements
  confirmPayment(options: {
    elements: StripeElements
    confirmParams: { return_url: string }
    redirect: 'if_required'
  }): Promise<{ error?: StripeProblem; paymentIntent?: StripeIntent }>
}

type StripeFactory = (publishableKey: string, options: { locale: string }) => StripeBrowser

declare global {
  interface Window {
    Stripe?: StripeFactory
  }
}

/** A network that drops the script gives no error. */
const LOADED_WITHIN_MS = 20_000

/** Loads the provider's script into this page. Rejects when it is blocked, broken or too slow; a later call retries. */
export const loadStripe = (scriptUrl: string): Promise<StripeFactory> =>
  new Promise((done, fail) => {
    if (window.Stripe) return done(window.Stripe)
    const script = document.createElement('script')
    const giveUp = (why: string) => {
      script.remove()
      fail(new Error(why))
    }
    const timer = setTimeout(() => giveUp('too slow'), LOADED_WITHIN_MS)
    script.src = scriptUrl
    script.async = true
    script.addEventListener('load', () => {
      clearTimeout(timer)
      if (window.Stripe) done(window.Stripe)
      else giveUp('not what was expected')
    })
    script.addEventListener('error', () => {
      clearTimeout(timer)
      giveUp('not loaded')
    })
    document.head.append(script)
  })
