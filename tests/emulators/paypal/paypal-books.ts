import { newPaypalEvent, newPaypalId } from './paypal-objects.ts'
import type {
  PaypalCapture,
  PaypalDispute,
  PaypalEvent,
  PaypalMoney,
  PaypalOrder,
  PaypalRefund,
  PaypalUnit,
} from './paypal-objects.ts'
import { refusal } from './paypal-refusals.ts'

/** The result of capturing an approved order. */
export type PaypalConduct = 'paid' | 'pending' | 'declined' | 'instrument declined'

type Approval = { returnUrl: string; cancelUrl: string }

/** The fields of a new order that the emulator reads. */
export type OrderWish = {
  readonly intent?: string
  readonly purchase_units?: readonly Partial<PaypalUnit>[]
  readonly payment_source?: { paypal?: { experience_context?: { return_url?: string; cancel_url?: string } } }
}

const WHOLE = /^[1-9]\d*$/

function checkAmount(amount: PaypalMoney | undefined): PaypalMoney {
  if (!amount?.value || !amount.currency_code) throw refusal(400, 'MISSING_REQUIRED_PARAMETER')
  if (amount.currency_code !== 'HUF') throw refusal(422, 'INVALID_CURRENCY_CODE')
  // HUF has no decimals here, not even zeros.
  if (!WHOLE.test(amount.value)) throw refusal(422, 'DECIMALS_NOT_SUPPORTED')
  return amount
}

/** The books of the emulated PayPal. Each change creates an event. */
export class PaypalBooks {
  readonly orders = new Map<string, PaypalOrder>()
  readonly captures = new Map<string, PaypalCapture>()
  readonly refunds = new Map<string, PaypalRefund>()
  readonly disputes = new Map<string, PaypalDispute>()
  readonly #approvals = new Map<string, Approval>()
  readonly #conduct = new Map<string, PaypalConduct>()
  readonly #usedInvoices = new Set<string>()
  readonly #nowMs: () => number
  readonly #onEvent: (event: PaypalEvent) => void
  readonly #baseUrl: () => string

  constructor(options: { nowMs: () => number; onEvent: (event: PaypalEvent) => void; baseUrl: () => string }) {
    this.#nowMs = options.nowMs
    this.#onEvent = options.onEvent
    this.#baseUrl = options.baseUrl
  }

  create(wish: OrderWish): PaypalOrder {
    const [unit] = wish.purchase_units ?? []
    if (wish.intent !== 'CAPTURE' || !unit) throw refusal(400, 'MISSING_REQUIRED_PARAMETER')
    const context = wish.payment_source?.paypal?.experience_context
    if (!context?.return_url || !context.cancel_url) throw refusal(400, 'MISSING_REQUIRED_PARAMETER')
    const at = this.now()
    const id = newPaypalId()
    const order: PaypalOrder = {
      id,
      intent: 'CAPTURE',
      status: 'PAYER_ACTION_REQUIRED',
      payment_source: { paypal: {} },
      purchase_units: [{ reference_id: 'default', ...unit, amount: checkAmount(unit.amount) }],
      create_time: at,
      update_time: at,
      links: [
        { href: `${this.#baseUrl()}/v2/checkout/orders/${id}`, rel: 'self', method: 'GET' },
        { href: `${this.#baseUrl()}/checkoutnow?token=${id}`, rel: 'payer-action', method: 'GET' },
      ],
    }
    this.orders.set(id, order)
    this.#approvals.set(id, { returnUrl: context.return_url, cancelUrl: context.cancel_url })
    return order
  }

  find(id: string): PaypalOrder {
    const order = this.orders.get(id)
    if (!order) throw refusal(404, 'INVALID_RESOURCE_ID')
    return order
  }

  /** The customer agrees on PayPal's page; resolves with the browser's next address. */
  approve(id: string, conduct: PaypalConduct): URL {
    const order = this.find(id)
    if (order.status !== 'PAYER_ACTION_REQUIRED' && order.status !== 'APPROVED')
      throw refusal(422, 'ORDER_ALREADY_CAPTURED')
    order.status = 'APPROVED'
    // Two approvals in one second still have different times.
    order.update_time = new Date(Math.max(this.#nowMs(), Date.parse(order.update_time) + 1_000)).toISOString()
    this.#conduct.set(id, conduct)
    this.#tell('CHECKOUT.ORDER.APPROVED', order)
    return this.#back(id, 'returnUrl')
  }

  cancel(id: string): URL {
    return this.#back(id, 'cancelUrl')
  }

  capture(id: string): PaypalOrder {
    const order = this.find(id)
    if (order.status === 'COMPLETED') throw refusal(422, 'ORDER_ALREADY_CAPTURED')
    if (order.status !== 'APPROVED') throw refusal(422, 'ORDER_NOT_APPROVED')
    const conduct = this.#conduct.get(id) ?? 'paid'
    if (conduct === 'instrument declined') throw refusal(422, 'INSTRUMENT_DECLINED')
    const [unit] = order.purchase_units
    if (!unit) throw refusal(500)
    if (unit.invoice_id !== undefined && this.#usedInvoices.has(unit.invoice_id))
      throw refusal(422, 'DUPLICATE_INVOICE_ID')
    const capture = this.#newCapture(order.id, unit, conduct)
    unit.payments = { captures: [capture] }
    order.status = 'COMPLETED'
    order.update_time = capture.create_time
    this.#tell(`PAYMENT.CAPTURE.${capture.status}`, capture)
    return order
  }

  #newCapture(orderId: string, unit: PaypalUnit, conduct: PaypalConduct): PaypalCapture {
    const at = this.now()
    const id = newPaypalId()
    if (unit.invoice_id !== undefined && conduct !== 'declined') this.#usedInvoices.add(unit.invoice_id)
    const capture: PaypalCapture = {
      id,
      status: conduct === 'pending' ? 'PENDING' : conduct === 'declined' ? 'DECLINED' : 'COMPLETED',
      ...(conduct === 'pending' ? { status_details: { reason: 'PENDING_REVIEW' } } : {}),
      amount: unit.amount,
      final_capture: true,
      ...(unit.invoice_id === undefined ? {} : { invoice_id: unit.invoice_id }),
      ...(unit.custom_id === undefined ? {} : { custom_id: unit.custom_id }),
      seller_protection: { status: 'NOT_ELIGIBLE' },
      supplementary_data: { related_ids: { order_id: orderId } },
      create_time: at,
      update_time: at,
      links: [{ href: `${this.#baseUrl()}/v2/payments/captures/${id}`, rel: 'self', method: 'GET' }],
    }
    this.captures.set(id, capture)
    return capture
  }

  /** Completes the review of a pending capture. */
  review(captureId: string, end: 'COMPLETED' | 'DECLINED'): void {
    const capture = this.findCapture(captureId)
    capture.status = end
    delete capture.status_details
    this.#tell(end === 'COMPLETED' ? 'PAYMENT.CAPTURE.COMPLETED' : 'PAYMENT.CAPTURE.DENIED', capture)
  }

  findCapture(id: string): PaypalCapture {
    const capture = this.captures.get(id)
    if (!capture) throw refusal(404, 'INVALID_RESOURCE_ID')
    return capture
  }

  refund(captureId: string, wish: { amount?: PaypalMoney; custom_id?: string }): PaypalRefund {
    const capture = this.findCapture(captureId)
    if (capture.status === 'PENDING') throw refusal(422, 'PENDING_CAPTURE')
    if (capture.status === 'REFUNDED') throw refusal(422, 'CAPTURE_FULLY_REFUNDED')
    const unit = this.#unitOf(captureId)
    const refunds = unit.payments?.refunds ?? []
    const refunded = refunds.reduce((sum, { amount }) => sum + Number(amount.value), 0)
    const left = Number(capture.amount.value) - refunded
    const amount = wish.amount === undefined ? { currency_code: 'HUF', value: String(left) } : checkAmount(wish.amount)
    if (Number(amount.value) > left) throw refusal(422, 'REFUND_AMOUNT_EXCEEDED')
    const at = this.now()
    const id = newPaypalId()
    const refund: PaypalRefund = {
      id,
      status: 'COMPLETED',
      amount,
      ...(wish.custom_id === undefined ? {} : { custom_id: wish.custom_id }),
      create_time: at,
      update_time: at,
      links: [
        { href: `${this.#baseUrl()}/v2/payments/refunds/${id}`, rel: 'self', method: 'GET' },
        { href: `${this.#baseUrl()}/v2/payments/captures/${captureId}`, rel: 'up', method: 'GET' },
      ],
    }
    this.refunds.set(id, refund)
    unit.payments = { captures: unit.payments?.captures ?? [], refunds: [...refunds, refund] }
    capture.status = Number(amount.value) === left ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
    this.#tell('PAYMENT.CAPTURE.REFUNDED', refund)
    return refund
  }

  /** The customer's bank returns a refund. */
  failRefund(refundId: string): void {
    const refund = this.refunds.get(refundId)
    const captureId =
      refund?.links
        .find(({ rel }) => rel === 'up')
        ?.href.split('/')
        .at(-1) ?? ''
    if (!refund) throw refusal(404, 'INVALID_RESOURCE_ID')
    refund.status = 'FAILED'
    this.findCapture(captureId).status = 'COMPLETED'
    this.#tell('PAYMENT.REFUND.FAILED', refund)
  }

  /** The customer disputes a capture, or a part of it. */
  dispute(captureId: string, value?: string): PaypalDispute {
    const capture = this.findCapture(captureId)
    const at = this.now()
    const id = `PP-R-${newPaypalId().slice(0, 6)}-10095`
    const dispute: PaypalDispute = {
      dispute_id: id,
      create_time: at,
      update_time: at,
      reason: 'UNAUTHORISED',
      status: 'OPEN',
      dispute_amount: value === undefined ? capture.amount : { currency_code: 'HUF', value },
      dispute_life_cycle_stage: 'INQUIRY',
      disputed_transactions: [
        {
          seller_transaction_id: captureId,
          ...(capture.custom_id === undefined ? {} : { custom: capture.custom_id }),
        },
      ],
      links: [{ href: `${this.#baseUrl()}/v1/customer/disputes/${id}`, rel: 'self', method: 'GET' }],
    }
    this.disputes.set(id, dispute)
    this.#tell('CUSTOMER.DISPUTE.CREATED', dispute)
    return dispute
  }

  /** Ends a dispute; `refunded` is the customer's part, where PayPal reports it. */
  resolve(disputeId: string, outcome: string, refunded?: string): void {
    const dispute = this.findDispute(disputeId)
    dispute.status = 'RESOLVED'
    const told = refunded === undefined ? {} : { amount_refunded: { currency_code: 'HUF', value: refunded } }
    dispute.dispute_outcome = { outcome_code: outcome, ...told }
    this.#tell('CUSTOMER.DISPUTE.RESOLVED', dispute)
  }

  findDispute(id: string): PaypalDispute {
    const dispute = this.disputes.get(id)
    if (!dispute) throw refusal(404, 'INVALID_RESOURCE_ID')
    return dispute
  }

  /** The short form of all disputes about a capture. */
  listDisputes(captureId: string): object {
    const about = [...this.disputes.values()].filter(({ disputed_transactions: disputed }) =>
      disputed.some(({ seller_transaction_id: id }) => id === captureId),
    )
    const items = about.map(({ dispute_id, create_time, update_time, reason, status, dispute_amount, links }) => ({
      dispute_id,
      create_time,
      update_time,
      reason,
      status,
      dispute_amount,
      links,
    }))
    const self = { href: `${this.#baseUrl()}/v1/customer/disputes`, rel: 'self', method: 'GET' }
    return { items, links: [self] }
  }

  /** The bank takes the money back. */
  reverse(captureId: string): void {
    this.#tell('PAYMENT.CAPTURE.REVERSED', this.findCapture(captureId))
  }

  now(): string {
    return new Date(this.#nowMs()).toISOString().replace(/\.\d{3}Z$/, 'Z')
  }

  #unitOf(captureId: string): PaypalUnit {
    const units = [...this.orders.values()].flatMap((order) => order.purchase_units)
    const found = units.find((unit) => unit.payments?.captures.some(({ id }) => id === captureId))
    if (!found) throw refusal(404, 'INVALID_RESOURCE_ID')
    return found
  }

  #back(id: string, which: keyof Approval): URL {
    const approval = this.#approvals.get(id)
    if (!approval) throw refusal(404, 'INVALID_RESOURCE_ID')
    const back = new URL(approval[which])
    back.searchParams.set('token', id)
    if (which === 'returnUrl') back.searchParams.set('PayerID', 'PAYER7EMULATED')
    return back
  }

  #tell(type: string, resource: object): void {
    this.#onEvent(newPaypalEvent(type, resource, this.now()))
  }
}
