import type { NextStep, PaymentKind } from '#contracts/http/payment.ts'
import type { Locale } from '#contracts/locale.ts'
import type { Money } from '#domain/billing/money.ts'
import type { Dispute, PaymentState } from '#domain/payments/payment-state.ts'
import type { ObservedAmount, Tariff } from '#domain/payments/payment-amount.ts'
import type { SeenDispute, SeenRefund } from '#domain/payments/reversal.ts'

/** The capabilities of a provider; the same for every payment of a deployment. */
export type PaymentCapabilities = {
  readonly kinds: readonly PaymentKind[]
  /** Whether it moves no real money. Production refuses such a provider. */
  readonly sandbox: boolean
  /** The limits of one payment in forints, inclusive. The house's own limits apply too. */
  readonly minimumFt: bigint
  readonly maximumFt: bigint
  /**
   * The only possible amounts, for a provider that forwards less than the customer pays. Empty: any amount, credited in
   * full.
   */
  readonly tariffs: readonly Tariff[]
  /** How much of a settled payment can be refunded to its source. */
  readonly refunds: 'none' | 'whole' | 'partial'
  /** Whether it reports disputes and their outcomes. Otherwise staff record them. */
  readonly tellsDisputes: boolean
  /**
   * How long a customer can pay after `open`. Payments are polled for that long and another 72 h, and then watched for
   * late money.
   */
  readonly windowMs: number
  /**
   * Whether `parseHint` proves the sender of a hint. An unproven hint leaves no trace until the provider confirms it.
   */
  readonly signedHints: boolean
}

export type NewPayment = {
  /**
   * Our id of the payment. It is the provider's reference and is stored before the first call, so that a repeated call
   * means the same payment.
   */
  readonly paymentId: string
  /**
   * Counts the calls of `open` for this payment from 1, stored before each. A provider with idempotency keys ignores
   * it; one without sends a new request id with each call, and abandons the payment opened by an earlier call.
   */
  readonly attempt: number
  readonly kind: PaymentKind
  /** The price that the customer pays. */
  readonly amount: Money
  /** The credited amount; less than `amount` only with a tariff. */
  readonly credited: Money
  /** Where the provider sends the customer afterwards; already contains the payment (`?transaction=`). */
  readonly returnUrl: string
  readonly locale: Locale
}

/** `next` is stored without its secret, which `resume` returns again. */
export type OpenedPayment = { readonly providerPaymentId: string; readonly next: NextStep }

export type PaymentRef = {
  readonly paymentId: string
  readonly providerPaymentId: string
}

/** The provider's own, complete view of a payment. Only this moves money. */
export type ObservedPayment = {
  readonly state: Exclude<PaymentState, 'created'>
  /** The paid or payable amount, in the provider's own currency and scale. */
  readonly amount: ObservedAmount
  /** The amount that the provider forwards, if it has tariffs. */
  readonly forwarded?: ObservedAmount
  /** The reference stored at the provider: our payment's id. Null without one. */
  readonly reference: string | null
  /** The total returned to the customer, in the unit of `amount`. */
  readonly refundedMinor: bigint
  readonly dispute: Dispute
  /** Every listed refund, made here or on the provider's own pages; absent if it reports only the total. */
  readonly refunds?: readonly SeenRefund[]
  /** Every listed dispute; absent if it only reports whether the payment is disputed. */
  readonly disputes?: readonly SeenDispute[]
  /** The provider's failure code, for the log and for staff. */
  readonly failureCode: string | null
}

/** An external message that names a payment. It is a hint to look it up, never the truth. */
export type Hint = {
  /** The provider's event id; null without one. An event is handled once. */
  readonly eventId: string | null
  /** The provider's event type, for the log. */
  readonly kind: string
  readonly providerPaymentId: string
}

/**
 * `ok: false`: not a message of this provider, answered with 400; with `isBusy` it was not checked, and may be sent
 * again. A message about no payment gives an empty list.
 */
export type Hints =
  { readonly ok: true; readonly hints: readonly Hint[] } | { readonly ok: false; readonly isBusy?: boolean }

export type HintRequest = {
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** The exact bytes of the body, because they are signed. */
  readonly body: string
}

export type RefundOrder = PaymentRef & {
  /** Our id of the refund, stored before the first call: any number of calls with it refund once. */
  readonly refundId: string
  readonly amount: Money
}

/** `failed`: the provider still has the money. */
export type ObservedRefund = {
  readonly state: 'pending' | 'succeeded' | 'failed'
  /** Null until the provider has assigned an id. */
  readonly providerRefundId: string | null
  readonly failureCode: string | null
}

/**
 * A payment method. A provider that is unreachable, or whose response is not understood, throws AppError
 * PROVIDER_FAILURE with `retryable`; a refusal by the customer's bank is a state, not an error.
 */
export interface PaymentProvider {
  readonly id: string
  readonly capabilities: PaymentCapabilities
  /** Opens a payment; repeatable with the same `paymentId`. */
  open(payment: NewPayment): Promise<OpenedPayment>
  /** The next step of an open payment, with its secret if it has one; null when nothing is left to do. */
  resume?(payment: PaymentRef): Promise<NextStep | null>
  /**
   * The authoritative state, from the provider's authenticated call. If the provider requires it, an approved payment
   * is captured first; repeatable, under a key derived from `paymentId`. For a payment that only a hint named,
   * `paymentId` is empty and nothing is captured. Null for an unknown payment.
   */
  fetchState(payment: PaymentRef): Promise<ObservedPayment | null>
  /** Extracts the payments from an external message; checks its signature and age if the provider has them. */
  parseHint(request: HintRequest): Promise<Hints>
  /** Refunds money, or returns the progress when called again. Absent if `refunds` is `none`. */
  refund?(order: RefundOrder): Promise<ObservedRefund>
}

/** Called with a provider's hint, to look up the payment that it names. */
export type OnHint = (hint: Hint & { readonly provider: string }) => Promise<void>

/** The providers of this deployment. */
export type PaymentProviders = {
  /** The provider with this id, or undefined. */
  find(id: string): PaymentProvider | undefined
  readonly all: readonly PaymentProvider[]
}
