import type { ObservedPayment, PaymentProvider } from '../../control-plane/money/payments/payment-provider.ts'
import { forints } from '#domain/billing/money.ts'
import { observedAmount } from '#domain/payments/payment-amount.ts'

/** A provider's observation of a payment of 5000 Ft; by default it was paid. */
export const observation = (changes: Partial<ObservedPayment> = {}): ObservedPayment => ({
  state: 'settled',
  amount: observedAmount(forints(5000n)),
  reference: null,
  refundedMinor: 0n,
  dispute: 'none',
  failureCode: null,
  ...changes,
})

/** A hint that names a payment of the sandbox. */
export const hintOf = (providerPaymentId: string) =>
  ({ provider: 'sandbox', eventId: null, kind: 'decided', providerPaymentId }) as const

/** A provider with the given methods; every other method refuses. */
export function toldProvider(told: Partial<PaymentProvider> = {}): PaymentProvider {
  return {
    id: 'sandbox',
    capabilities: {
      kinds: ['redirect'],
      sandbox: true,
      minimumFt: 500n,
      maximumFt: 1_000_000n,
      tariffs: [],
      refunds: 'none',
      tellsDisputes: true,
      windowMs: 3_600_000,
      signedHints: false,
    },
    open: () => Promise.reject(new Error('not called')),
    fetchState: () => Promise.reject(new Error('not called')),
    parseHint: () => Promise.resolve({ ok: false }),
    ...told,
  }
}
