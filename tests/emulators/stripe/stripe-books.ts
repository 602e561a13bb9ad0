import type Stripe from 'stripe'
import { invalid, StripeRefusal } from './stripe-form.ts'
import { newCharge, newDispute, newEvent, newId, newIntent, newRefund } from './stripe-objects.ts'
import type { NewIntent, StripeEvent } from './stripe-objects.ts'

/** The result of a card, by Stripe's published numbers and test methods. */
export type CardConduct = 'paid' | 'declined' | 'asks' | 'asks, then declined' | 'slow'

const CONDUCT: Readonly<Record<string, CardConduct>> = {
  pm_card_visa: 'paid',
  '4242424242424242': 'paid',
  pm_card_chargeDeclined: 'declined',
  '4000000000000002': 'declined',
  pm_card_authenticationRequired: 'asks',
  '4000002500003155': 'asks',
  pm_card_authenticationRequiredChargeDeclinedInsufficientFunds: 'asks, then declined',
  '4000008400001629': 'asks, then declined',
  pm_usBankAccount_processing: 'slow',
  // The tokens of the wallets' sheets.
  pm_wallet_apple_pay: 'paid',
  pm_wallet_google_pay: 'paid',
}

const HUF_MINIMUM = 17_500
const DECLINED = {
  type: 'card_error',
  code: 'card_declined',
  decline_code: 'generic_decline',
  message: 'Your card was declined.',
} as const
const NOT_AUTHENTICATED = {
  type: 'invalid_request_error',
  code: 'payment_intent_authentication_failure',
  message: 'The provided payment method has failed authentication.',
} as const

type Challenge = { intentId: string; thenDeclined: boolean; returnUrl: string }

/** The books of the emulated Stripe: its objects and their changes. Each change creates an event. */
export class StripeBooks {
  readonly intents = new Map<string, Stripe.PaymentIntent>()
  readonly charges = new Map<string, Stripe.Charge>()
  readonly refunds = new Map<string, Stripe.Refund>()
  readonly disputes = new Map<string, Stripe.Dispute>()
  readonly challenges = new Map<string, Challenge>()
  readonly #nowMs: () => number
  readonly #onEvent: (event: StripeEvent) => void
  readonly #baseUrl: () => string

  constructor(options: { nowMs: () => number; onEvent: (event: StripeEvent) => void; baseUrl: () => string }) {
    this.#nowMs = options.nowMs
    this.#onEvent = options.onEvent
    this.#baseUrl = options.baseUrl
  }

  create(wanted: Omit<NewIntent, 'atS'> & { currency: string }): Stripe.PaymentIntent {
    const { currency, amount } = wanted
    if (currency !== 'huf') throw invalid('currency', `Invalid currency: ${currency}.`)
    if (amount < HUF_MINIMUM) throw invalid('amount', 'Amount must convert to at least 175 Ft.', 'amount_too_small')
    if (amount % 100 !== 0) throw invalid('amount', 'Amount must be divisible by 100.', 'parameter_invalid_integer')
    const intent = newIntent({ ...wanted, atS: this.nowS() })
    this.intents.set(intent.id, intent)
    this.#tell('payment_intent.created', intent)
    return intent
  }

  find(id: string): Stripe.PaymentIntent {
    const intent = this.intents.get(id)
    if (intent) return intent
    throw new StripeRefusal(404, {
      type: 'invalid_request_error',
      code: 'resource_missing',
      param: 'intent',
      message: `No such payment_intent: '${id}'`,
    })
  }

  confirm(id: string, method: string, returnUrl: string): Stripe.PaymentIntent {
    const intent = this.find(id)
    const open: readonly string[] = ['requires_payment_method', 'requires_confirmation', 'requires_action']
    if (!open.includes(intent.status)) throw this.#unexpected(intent)
    const conduct = CONDUCT[method]
    if (!conduct) throw invalid('payment_method', `No such PaymentMethod: '${method}'`, 'resource_missing')
    intent.payment_method = newId('pm')
    intent.last_payment_error = null
    intent.next_action = null
    if (conduct === 'declined') {
      this.#decline(intent, DECLINED)
      throw new StripeRefusal(402, { ...DECLINED, payment_intent: structuredClone(intent) })
    }
    if (conduct === 'paid') this.#succeed(intent)
    else if (conduct === 'slow') {
      intent.status = 'processing'
      intent.processing = { type: 'card' }
      this.#tell('payment_intent.processing', intent)
    } else this.#challenge(intent, conduct === 'asks, then declined', returnUrl)
    return intent
  }

  #challenge(intent: Stripe.PaymentIntent, thenDeclined: boolean, returnUrl: string): void {
    if (returnUrl === '') throw invalid('return_url', 'A return_url must be specified.', 'parameter_missing')
    const key = newId('challenge')
    this.challenges.set(key, { intentId: intent.id, thenDeclined, returnUrl })
    intent.status = 'requires_action'
    const url = `${this.#baseUrl()}/3ds/${key}`
    intent.next_action = { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl, url } }
    this.#tell('payment_intent.requires_action', intent)
  }

  /** The customer's answer on the bank's page; resolves with the browser's next address. */
  answerChallenge(key: string, isPassed: boolean): URL {
    const challenge = this.challenges.get(key)
    if (!challenge) throw new StripeRefusal(404, { type: 'invalid_request_error', message: 'No such challenge' })
    this.challenges.delete(key)
    const intent = this.find(challenge.intentId)
    intent.next_action = null
    if (!isPassed) this.#decline(intent, NOT_AUTHENTICATED)
    else if (challenge.thenDeclined) this.#decline(intent, DECLINED)
    else this.#succeed(intent)
    const back = new URL(challenge.returnUrl)
    back.searchParams.set('payment_intent', intent.id)
    back.searchParams.set('payment_intent_client_secret', intent.client_secret ?? '')
    back.searchParams.set('redirect_status', intent.status === 'succeeded' ? 'succeeded' : 'failed')
    return back
  }

  /** Completes a pending payment. */
  finish(id: string, end: 'paid' | 'declined'): void {
    const intent = this.find(id)
    if (intent.status !== 'processing') throw this.#unexpected(intent)
    intent.processing = null
    if (end === 'paid') this.#succeed(intent)
    else this.#decline(intent, DECLINED)
  }

  cancel(id: string): Stripe.PaymentIntent {
    const intent = this.find(id)
    if (['succeeded', 'canceled', 'processing'].includes(intent.status)) throw this.#unexpected(intent)
    intent.status = 'canceled'
    intent.canceled_at = this.nowS()
    this.#tell('payment_intent.canceled', intent)
    return intent
  }

  refund(id: string, asked: { amount?: number; metadata: Record<string, string> }): Stripe.Refund {
    const charge = this.chargeOf(this.find(id))
    if (!charge?.paid)
      throw invalid('payment_intent', 'This PaymentIntent does not have a successful charge to refund.')
    const left = charge.amount - charge.amount_refunded
    const amount = asked.amount ?? left
    if (left === 0)
      throw invalid('payment_intent', `Charge ${charge.id} has already been refunded.`, 'charge_already_refunded')
    if (amount <= 0 || amount > left)
      throw invalid('amount', `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`)
    charge.amount_refunded += amount
    charge.refunded = charge.amount_refunded === charge.amount
    const refund = newRefund({ charge, amount, metadata: asked.metadata, atS: this.nowS() })
    this.refunds.set(refund.id, refund)
    this.#tell('refund.created', refund)
    this.#tell('charge.refunded', charge)
    return refund
  }

  /** The customer's bank sends back a refund that was reported as sent. */
  failRefund(refundId: string): Stripe.Refund {
    const refund = this.refunds.get(refundId)
    const charge = typeof refund?.charge === 'string' ? this.charges.get(refund.charge) : undefined
    if (!refund || !charge) throw invalid('id', `No such refund: '${refundId}'`, 'resource_missing')
    refund.status = 'failed'
    refund.failure_reason = 'expired_or_canceled_card'
    charge.amount_refunded -= refund.amount
    charge.refunded = false
    this.#tell('refund.failed', refund)
    return refund
  }

  /** A dispute about a part of the charge, or all of it; a repeated call with its name moves it on. */
  dispute(id: string, status: Stripe.Dispute.Status, part: { amount?: number; name?: string } = {}): Stripe.Dispute {
    const charge = this.chargeOf(this.find(id))
    if (!charge?.paid) throw invalid('payment_intent', 'There is no charge to dispute.')
    charge.disputed = true
    const key = `${charge.id} ${part.name ?? ''}`
    const dispute = this.disputes.get(key) ?? newDispute(charge, status, this.nowS())
    dispute.status = status
    dispute.amount = part.amount ?? dispute.amount
    this.disputes.set(key, dispute)
    this.#tell(status === 'needs_response' ? 'charge.dispute.created' : 'charge.dispute.closed', dispute)
    return dispute
  }

  /** The objects of a map that belong to an intent, newest first, as Stripe lists them. */
  listOf<One extends { payment_intent: unknown }>(kind: 'refunds' | 'disputes', all: Map<string, One>, id: string) {
    const data = [...all.values()].filter((one) => one.payment_intent === id).toReversed()
    return { object: 'list' as const, data, has_more: false, url: `/v1/${kind}` }
  }

  chargeOf(intent: Stripe.PaymentIntent): Stripe.Charge | undefined {
    return typeof intent.latest_charge === 'string' ? this.charges.get(intent.latest_charge) : undefined
  }

  nowS(): number {
    return Math.floor(this.#nowMs() / 1_000)
  }

  #succeed(intent: Stripe.PaymentIntent): void {
    intent.status = 'succeeded'
    intent.amount_received = intent.amount
    this.#charge(intent, true)
    this.#tell('payment_intent.succeeded', intent)
  }

  #decline(intent: Stripe.PaymentIntent, error: typeof DECLINED | typeof NOT_AUTHENTICATED): void {
    intent.status = 'requires_payment_method'
    intent.payment_method = null
    intent.last_payment_error = error
    this.#charge(intent, false)
    this.#tell('payment_intent.payment_failed', intent)
  }

  #charge(intent: Stripe.PaymentIntent, paid: boolean): void {
    const charge = newCharge(intent, paid, this.nowS())
    this.charges.set(charge.id, charge)
    intent.latest_charge = charge.id
  }

  #unexpected(intent: Stripe.PaymentIntent): StripeRefusal {
    return new StripeRefusal(400, {
      type: 'invalid_request_error',
      code: 'payment_intent_unexpected_state',
      message: `This PaymentIntent's status is ${intent.status}.`,
      payment_intent: structuredClone(intent),
    })
  }

  #tell(type: string, object: object): void {
    this.#onEvent(newEvent(type, object, this.nowS()))
  }
}
