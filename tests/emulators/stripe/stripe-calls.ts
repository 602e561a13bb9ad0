import type Stripe from 'stripe'
import type { StripeBooks } from './stripe-books.ts'
import { invalid, metadataOf, onlyKnown, StripeRefusal, wholeNumber, type StripeFields } from './stripe-form.ts'

export type StripeQuestion = {
  readonly method: string
  readonly path: string
  readonly fields: StripeFields
  /** Whether the call is from the browser, with the public key. */
  readonly isBrowser: boolean
}

const INTENT = /^\/v1\/payment_intents\/(pi_[0-9a-f]+)(?:\/(confirm|cancel))?$/
const CARD_NUMBER = 'payment_method_data[card][number]'

/** The API calls that Bakter and its page use. Returns the object. */
export function answerCall(books: StripeBooks, question: StripeQuestion): object {
  const { method, path, isBrowser } = question
  const [, intentId, action] = INTENT.exec(path) ?? []
  if (intentId !== undefined) {
    ownSecret(books, question, intentId)
    if (method === 'GET' && action === undefined) return readIntent(books, question, intentId)
    if (method === 'POST' && action === 'confirm') return confirm(books, question, intentId)
    if (method === 'POST' && action === 'cancel' && !isBrowser) return books.cancel(intentId)
  }
  if (!isBrowser && method === 'POST' && path === '/v1/payment_intents') return create(books, question.fields)
  if (!isBrowser && method === 'POST' && path === '/v1/refunds') return refund(books, question.fields)
  if (!isBrowser && method === 'GET' && path === '/v1/refunds') return list(books, question.fields, 'refunds')
  if (!isBrowser && method === 'GET' && path === '/v1/disputes') return list(books, question.fields, 'disputes')
  if (!isBrowser && method === 'GET' && path.startsWith('/v1/charges/')) return charge(books, path)
  throw new StripeRefusal(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${path}).`,
  })
}

/** The browser authenticates by the intent's own secret. */
function ownSecret(books: StripeBooks, { fields, isBrowser }: StripeQuestion, id: string): void {
  const intent = books.find(id)
  if (isBrowser && fields.get('client_secret') !== intent.client_secret) {
    throw new StripeRefusal(404, {
      type: 'invalid_request_error',
      code: 'resource_missing',
      message: 'No such payment_intent',
    })
  }
}

function create(books: StripeBooks, fields: StripeFields): Stripe.PaymentIntent {
  onlyKnown(fields, ['amount', 'currency', 'metadata', 'description', 'automatic_payment_methods'])
  const currency = fields.get('currency')
  if (currency === undefined) throw invalid('currency', 'Missing required param: currency.', 'parameter_missing')
  return books.create({
    currency,
    amount: wholeNumber(fields, 'amount'),
    metadata: metadataOf(fields),
    description: fields.get('description') ?? null,
  })
}

function readIntent(books: StripeBooks, { fields }: StripeQuestion, id: string): object {
  onlyKnown(fields, ['expand', 'client_secret'])
  const intent = books.find(id)
  const isExpanded = fields.get('expand[]') === 'latest_charge'
  return isExpanded ? { ...intent, latest_charge: books.chargeOf(intent) ?? null } : intent
}

function confirm(books: StripeBooks, { fields }: StripeQuestion, id: string): Stripe.PaymentIntent {
  onlyKnown(fields, ['payment_method', 'payment_method_data', 'return_url', 'client_secret'])
  const method = fields.get('payment_method') ?? fields.get(CARD_NUMBER)?.replaceAll(' ', '') ?? ''
  return books.confirm(id, method, fields.get('return_url') ?? '')
}

function refund(books: StripeBooks, fields: StripeFields): Stripe.Refund {
  onlyKnown(fields, ['payment_intent', 'amount', 'metadata', 'reason'])
  const intentId = fields.get('payment_intent')
  if (intentId === undefined) throw invalid('payment_intent', 'Missing required param.', 'parameter_missing')
  const amount = fields.has('amount') ? { amount: wholeNumber(fields, 'amount') } : {}
  return books.refund(intentId, { ...amount, metadata: metadataOf(fields) })
}

function charge(books: StripeBooks, path: string): Stripe.Charge {
  const found = books.charges.get(path.slice('/v1/charges/'.length))
  if (found) return found
  throw new StripeRefusal(404, { type: 'invalid_request_error', code: 'resource_missing', message: 'No such charge' })
}

function list(books: StripeBooks, fields: StripeFields, kind: 'refunds' | 'disputes'): object {
  onlyKnown(fields, ['payment_intent', 'limit'])
  const id = fields.get('payment_intent') ?? ''
  return kind === 'refunds' ? books.listOf(kind, books.refunds, id) : books.listOf(kind, books.disputes, id)
}
