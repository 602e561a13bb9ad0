import type { OrderWish, PaypalBooks } from './paypal-books.ts'
import { newPaypalId } from './paypal-objects.ts'
import type { PaypalMoney } from './paypal-objects.ts'
import { refusal } from './paypal-refusals.ts'
import { eventTextOf } from './paypal-webhooks.ts'
import type { PaypalProof, PaypalSigner } from './paypal-webhooks.ts'

export type PaypalQuestion = {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly query?: string
  /** The header PayPal-Request-Id. */
  readonly requestId: string | undefined
}

export type PaypalAnswer = { readonly status: number; readonly body: object }

/** The published operation of a call, against which its body and response are validated. */
export const OPERATIONS: readonly { name: string; method: string; path: RegExp }[] = [
  { name: 'orders.create', method: 'POST', path: /^\/v2\/checkout\/orders$/ },
  { name: 'orders.get', method: 'GET', path: /^\/v2\/checkout\/orders\/([0-9A-Z]+)$/ },
  { name: 'orders.capture', method: 'POST', path: /^\/v2\/checkout\/orders\/([0-9A-Z]+)\/capture$/ },
  { name: 'captures.get', method: 'GET', path: /^\/v2\/payments\/captures\/([0-9A-Z]+)$/ },
  { name: 'captures.refund', method: 'POST', path: /^\/v2\/payments\/captures\/([0-9A-Z]+)\/refund$/ },
  { name: 'refunds.get', method: 'GET', path: /^\/v2\/payments\/refunds\/([0-9A-Z]+)$/ },
  { name: 'disputes.list', method: 'GET', path: /^\/v1\/customer\/disputes$/ },
  { name: 'disputes.get', method: 'GET', path: /^\/v1\/customer\/disputes\/([A-Za-z0-9-]+)$/ },
  { name: 'verify-webhook-signature.post', method: 'POST', path: /^\/v1\/notifications\/verify-webhook-signature$/ },
]

export const operationOf = (method: string, path: string): { name: string; id: string } | undefined => {
  const found = OPERATIONS.find((operation) => operation.method === method && operation.path.test(path))
  return found && { name: found.name, id: found.path.exec(path)?.[1] ?? '' }
}

const parse = (body: string): object => {
  if (body === '') return {}
  try {
    return JSON.parse(body) as object
  } catch {
    throw refusal(400)
  }
}

/** Responds to a call with a valid token. */
export function answerPaypal(books: PaypalBooks, signer: PaypalSigner, question: PaypalQuestion): PaypalAnswer {
  const operation = operationOf(question.method, question.path)
  const id = operation?.id ?? ''
  switch (operation?.name) {
    case 'orders.create': {
      const wish = parse(question.body) as OrderWish
      if (wish.payment_source && question.requestId === undefined) throw refusal(400, 'PAYPAL_REQUEST_ID_REQUIRED')
      return { status: 200, body: books.create(wish) }
    }
    case 'orders.get':
      return { status: 200, body: books.find(id) }
    case 'orders.capture':
      return { status: 201, body: books.capture(id) }
    case 'captures.get':
      return { status: 200, body: books.findCapture(id) }
    case 'captures.refund':
      return {
        status: 201,
        body: books.refund(id, parse(question.body) as { amount?: PaypalMoney; custom_id?: string }),
      }
    case 'refunds.get': {
      const refund = books.refunds.get(id)
      if (!refund) throw refusal(404, 'INVALID_RESOURCE_ID')
      return { status: 200, body: refund }
    }
    case 'disputes.list': {
      const capture = new URLSearchParams(question.query ?? '').get('disputed_transaction_id') ?? ''
      return { status: 200, body: books.listDisputes(capture) }
    }
    case 'disputes.get':
      return { status: 200, body: books.findDispute(id) }
    case 'verify-webhook-signature.post': {
      const proof = parse(question.body) as PaypalProof
      const isOwn = signer.isOwn(proof, eventTextOf(question.body))
      return { status: 200, body: { verification_status: isOwn ? 'SUCCESS' : 'FAILURE' } }
    }
    default:
      throw refusal(404)
  }
}

export const newToken = () => ({
  scope: 'https://uri.paypal.com/services/payments/realtimepayment',
  access_token: `A21AA${newPaypalId()}${newPaypalId()}`,
  token_type: 'Bearer',
  app_id: 'APP-80W284485P519543T',
  expires_in: 32_400,
  nonce: newPaypalId(),
})
