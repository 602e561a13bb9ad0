// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { loadStripe } from '@/features/billing/card/stripe-script.ts'

const URL_OF_SCRIPT = 'https://js.example.test/stripe.js'
const script = () => document.querySelector<HTMLScriptElement>(`script[src="${URL_OF_SCRIPT}"]`)
const factory = () => {
  throw new Error('not called')
}

beforeEach(() => {
  // The browser of the test fetches no scripts.
  vi.spyOn(document.head, 'append').mockImplementation((node) => {
    held = node as HTMLScriptElement
  })
})
let held: HTMLScriptElement | undefined
afterEach(() => {
  delete window.Stripe
  held = undefined
  vi.useRealTimers()
})

describe('the provider’s script', () => {
  test('is given once it has loaded, and not loaded again', async () => {
    const loading = loadStripe(URL_OF_SCRIPT)
    expect(held?.src).toBe(URL_OF_SCRIPT)
    window.Stripe = factory
    held?.dispatchEvent(new Event('load'))
    expect(await loading).toBe(factory)
    held = undefined
    expect(await loadStripe(URL_OF_SCRIPT)).toBe(factory)
    expect(held).toBeUndefined()
  })

  test('fails when it is held back, and is asked for anew the next time', async () => {
    const first = loadStripe(URL_OF_SCRIPT)
    held?.dispatchEvent(new Event('error'))
    await expect(first).rejects.toThrow('not loaded')
    expect(script()).toBeNull()
    held = undefined
    void loadStripe(URL_OF_SCRIPT).catch(() => {})
    expect(held).toBeDefined()
  })

  test('fails when it loads and is something else', async () => {
    const loading = loadStripe(URL_OF_SCRIPT)
    held?.dispatchEvent(new Event('load'))
    await expect(loading).rejects.toThrow('not what was expected')
  })

  test('fails when it never comes', async () => {
    vi.useFakeTimers()
    const loading = loadStripe(URL_OF_SCRIPT)
    const failure = loading.catch((error: unknown) => String(error))
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await failure).toContain('too slow')
  })
})
