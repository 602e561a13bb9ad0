import { randomBytes } from 'node:crypto'

export type PaypalMoney = { currency_code: string; value: string }
export type PaypalLink = { href: string; rel: string; method: string }

export type PaypalCapture = {
  id: string
  status: 'COMPLETED' | 'PENDING' | 'DECLINED' | 'PARTIALLY_REFUNDED' | 'REFUNDED'
  status_details?: { reason: string }
  amount: PaypalMoney
  final_capture: boolean
  invoice_id?: string
  custom_id?: string
  seller_protection: { status: string }
  supplementary_data?: { related_ids: { order_id: string } }
  create_time: string
  update_time: string
  links: PaypalLink[]
}

export type PaypalRefund = {
  id: string
  status: 'COMPLETED' | 'FAILED'
  amount: PaypalMoney
  custom_id?: string
  create_time: string
  update_time: string
  links: PaypalLink[]
}

/** The fields of a dispute that are read, in the terms of Disputes v1. */
export type PaypalDispute = {
  dispute_id: string
  create_time: string
  update_time: string
  reason: 'UNAUTHORISED'
  status: 'OPEN' | 'UNDER_REVIEW' | 'RESOLVED'
  dispute_amount: PaypalMoney
  dispute_life_cycle_stage: 'INQUIRY' | 'CHARGEBACK'
  disputed_transactions: { seller_transaction_id: string; custom?: string }[]
  dispute_outcome?: { outcome_code: string; amount_refunded?: PaypalMoney }
  links: PaypalLink[]
}

export type PaypalUnit = {
  reference_id: string
  amount: PaypalMoney
  custom_id?: string
  invoice_id?: string
  description?: string
  payments?: { captures: PaypalCapture[]; refunds?: PaypalRefund[] }
}

export type PaypalOrder = {
  id: string
  intent: 'CAPTURE'
  status: 'CREATED' | 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED' | 'VOIDED'
  payment_source: { paypal: object }
  purchase_units: PaypalUnit[]
  create_time: string
  update_time: string
  links: PaypalLink[]
}

export type PaypalEvent = {
  id: string
  event_version: string
  create_time: string
  resource_type: string
  resource_version: string
  event_type: string
  summary: string
  resource: object
  links: PaypalLink[]
}

const ALPHABET = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const PLACES = 17

/** An id as PayPal writes them: 17 capital letters and digits. */
export const newPaypalId = (): string =>
  [...randomBytes(PLACES)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')

export function newPaypalEvent(type: string, resource: object, at: string): PaypalEvent {
  return {
    id: `WH-${newPaypalId()}-${newPaypalId()}`,
    event_version: '1.0',
    create_time: at,
    resource_type: type.startsWith('CUSTOMER.DISPUTE')
      ? 'dispute'
      : type.startsWith('PAYMENT.CAPTURE.REFUNDED')
        ? 'refund'
        : type.startsWith('PAYMENT')
          ? 'capture'
          : 'checkout-order',
    resource_version: '2.0',
    event_type: type,
    summary: `Something happened: ${type}`,
    resource: structuredClone(resource),
    links: [],
  }
}
