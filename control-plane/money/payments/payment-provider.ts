import type { NextStep, PaymentKind } from '#contracts/http/payment.ts'
import type { Locale } from '#contracts/locale.ts'
import type { Money } from '#domain/billing/money.ts'
import type { Dispute, PaymentState } from '#domain/payments/payment-state.ts'
import type { ObservedAmount, Tariff } from '#domain/payments/payment-amount.ts'
import type { SeenDispute, SeenRefund } from '#domain/payments/reversal.ts'

/** What a provider can do; the same for every payment of a deployment. */
export type PaymentCapabilities = {
  readonly kinds: readonly PaymentKind[]
  /** Whether no real money moves. Such a provider is refused in production. */
  readonly sandbox: boolean
  /** The least and the most of one payment, in forints, both included. The house's own bounds apply beside them. */
  readonly minimumFt: bigint
  readonly maximumFt: bigint
  /** The only amounts there are, for a provider that hands over less than the customer pays. Empty: any amount, credited whole. */
  readonly tariffs: readonly Tariff[]
  /** What of a settled payment can be sent back to where it came from. */
  readonly refunds: 'none' | 'whole' | 'partial'
  /** Whether it tells disputes and how they end. Where it does not, staff say what the provider told them. */
  readonly tellsDisputes: boolean
  /** How long a customer can pay after `open`. Payments are polled that long and 72 h more, and watched for late money after it. */
  readonly windowMs: number
  /** Whether `parseHint` proves who sent a hint. What only an unproven hint tells leaves no trace until the provider confirms it. */
  readonly signedHints: boolean
}

export type NewPayment = {
  /** Our id of the payment. It is the provider's reference, stored before the first call, so a repeated call is the same payment. */
  readonly paymentId: string
  /**
   * Counts the calls of `open` for this payment from 1, stored before each. A provider with an idempotency key leaves it
   * out of the key; one without gives each call a request id of its own, and what an earlier call opened is abandoned.
   */
  readonly attempt: number
  readonly kind: PaymentKind
  /** What the customer pays. */
  readonly amount: Money
  /** What is credited; less than `amount` with a tariff only. */
  readonly credited: Money
  /** Where the provider sends the customer afterwards; names the payment already (`?transaction=`). */
  readonly returnUrl: string
  readonly locale: Locale
}

/** `next` is stored without its secret, which `resume` answers again. */
export type OpenedPayment = { readonly providerPaymentId: string; readonly next: NextStep }

export type PaymentRef = {
  readonly paymentId: string
  readonly providerPaymentId: string
}

/** What the provider itself says about a payment, and all it says. Only this moves money. */
export type ObservedPayment = {
  readonly state: Exclude<PaymentState, 'created'>
  /** What was paid or is to be paid, in the provider's own currency and scale. */
  readonly amount: ObservedAmount
  /** What the provider hands over of it, for a provider with tariffs. */
  readonly forwarded?: ObservedAmount
  /** The reference that the provider stored: our payment's id. Null when it has none. */
  readonly reference: string | null
  /** What went back to the customer in total, in the unit of `amount`. */
  readonly refundedMinor: bigint
  readonly dispute: Dispute
  /** Every refund that the provider lists, made here or at its own pages; absent where it tells the total alone. */
  readonly refunds?: readonly SeenRefund[]
  /** Every dispute that it lists; absent where it says of the whole payment whether there is one. */
  readonly disputes?: readonly SeenDispute[]
  /** The provider's own word for why it failed, for the log and for staff. */
  readonly failureCode: string | null
}

/** A message from outside that names a payment. It is a hint to look, never the truth. */
export type Hint = {
  /** The provider's id of the event; null when it has none. An event is carried out once. */
  readonly eventId: string | null
  /** The provider's word for what happened, for the log. */
  readonly kind: string
  readonly providerPaymentId: string
}

/**
 * `ok: false`: not a message of this provider, answered with 400; with `isBusy` it was not looked at, and may come again. A message
 * that concerns no payment is an empty list.
 */
export type Hints =
  { readonly ok: true; readonly hints: readonly Hint[] } | { readonly ok: false; readonly isBusy?: boolean }

export type HintRequest = {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** The body byte for byte, as signatures are made over it. */
  readonly body: string
}

export type RefundOrder = PaymentRef & {
  /** Our id of the refund, stored before the first call: any number of calls with it send the money back once. */
  readonly refundId: string
  readonly amount: Money
}

/** `failed`: the provider holds the money as before. */
export type ObservedRefund = {
  readonly state: 'pending' | 'succeeded' | 'failed'
  /** Null while the provider has not named it. */
  readonly providerRefundId: string | null
  readonly failureCode: string | null
}

/**
 * One way to pay. A provider that cannot be reached, or answers what nobody understands, throws AppError PROVIDER_FAILURE
 * with `retryable`; a refusal of the customer's bank is a state, not an error.
 */
export interface PaymentProvider {
  readonly id: string
  readonly capabilities: PaymentCapabilities
  /** Opens a payment; repeatable with the same `paymentId`. */
  open(payment: NewPayment): Promise<OpenedPayment>
  /** The next step of an open payment again, with its secret where it has one; null when nothing is left to do. */
  resume?(payment: PaymentRef): Promise<NextStep | null>
  /**
   * The authoritative state, asked over the provider's authenticated call. Takes the money of an approved payment first
   * where the provider waits for that; repeatable, under a key that is made of `paymentId`. For a payment that only a hint
   * named, `paymentId` is empty and nothing is taken. A payment that the provider does not know is null.
   */
  fetchState(payment: PaymentRef): Promise<ObservedPayment | null>
  /** Reads the payments out of a message from outside; signature and age are checked here where the provider has them. */
  parseHint(request: HintRequest): Promise<Hints>
  /** Sends money back, and looks how far that is when called again. Absent where `refunds` is `none`. */
  refund?(order: RefundOrder): Promise<ObservedRefund>
}

/** Is called with a hint of a provider, so that the payment it names is looked at. */
export type OnHint = (hint: Hint & { readonly provider: string }) => Promise<void>

/** The providers of this deployment. */
export type PaymentProviders = {
  /** The provider of this id, or undefined. */
  find(id: string): PaymentProvider | undefined
  readonly all: readonly PaymentProvider[]
}
