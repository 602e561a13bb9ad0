import type { Locale } from '#contracts/locale.ts'
import type { Money } from '#domain/billing/money.ts'
import type { PaymentState } from '#domain/billing/payment-state.ts'

/** How the customer pays: on a page of the provider, with a wallet of the browser, or by phone. */
export type PaymentKind = 'redirect' | 'wallet' | 'premium-sms' | 'premium-call'

export type NewPayment = {
  /** Our id of the payment. It is the provider's reference, stored before the first call, so a repeated call is the same payment. */
  readonly paymentId: string
  readonly amount: Money
  /** Where the provider sends the customer afterwards. */
  readonly returnUrl: string
  readonly locale: Locale
}

export type OpenedPayment = { readonly providerPaymentId: string; readonly redirectUrl: string }

/** What the provider itself says about a payment. Only this moves money. */
export type ObservedPayment = {
  readonly state: Exclude<PaymentState, 'created'>
  readonly amount: Money
  /** The reference that the provider stored: our payment's id. */
  readonly reference: string
}

/** A message from outside that names a payment. It is a hint to look, never the truth. */
export type Hint = { readonly ok: true; readonly providerPaymentId: string } | { readonly ok: false }

export type HintRequest = { readonly headers: Readonly<Record<string, string>>; readonly body: string }

/**
 * One way to pay. Failures of the provider are thrown as AppError PROVIDER_FAILURE; a refusal of the customer's bank is a
 * state, not an error.
 */
export interface PaymentProvider {
  readonly id: string
  readonly kinds: readonly PaymentKind[]
  /** Whether no real money moves. Such a provider is refused in production. */
  readonly sandbox: boolean
  /** Opens a payment; repeatable with the same `paymentId`. */
  open(payment: NewPayment): Promise<OpenedPayment>
  /** The authoritative state, asked over the provider's authenticated call. */
  fetchState(providerPaymentId: string): Promise<ObservedPayment>
  /** Reads the payment's id out of a webhook; the signature is checked here where the provider has one. */
  parseHint(request: HintRequest): Hint
}

/** The providers of this deployment. */
export type PaymentProviders = {
  /** The provider of this id, or undefined. */
  find(id: string): PaymentProvider | undefined
  readonly all: readonly PaymentProvider[]
}
