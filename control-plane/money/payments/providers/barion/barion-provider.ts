import type { Locale } from '#contracts/locale.ts'
import { inProviderUnits, type ObservedAmount } from '#domain/payments/payment-amount.ts'
import type { SeenRefund } from '#domain/payments/reversal.ts'
import { MAX_TOP_UP_FT, MIN_TOP_UP_FT } from '#domain/payments/top-up.ts'
import { AppError } from '../../../../platform/app-error.ts'
import type {
  Hints,
  NewPayment,
  ObservedPayment,
  ObservedRefund,
  OpenedPayment,
  PaymentProvider,
  RefundOrder,
} from '../../payment-provider.ts'
import { barionClient, type BarionClient, type BarionPayment, type BarionTransaction } from './barion-client.ts'
import type { BarionSettings } from '../../barion-settings.ts'

export const BARION_ID = 'barion'

const WINDOW_MS = 30 * 60 * 1000
const WINDOW = '00:30:00'
const LOCALE: Readonly<Record<Locale, string>> = { hu: 'hu-HU', en: 'en-US', de: 'de-DE' }

/** Barion's forints are whole: a Total with decimals is refused (T14). */
const EXPONENT = 0
/** Responses are parsed with two decimals, so that a fraction is preserved and does not match. */
const ANSWER_EXPONENT = 2

const STATE: Readonly<Record<BarionPayment['Status'], ObservedPayment['state']>> = {
  Prepared: 'pending',
  Started: 'pending',
  InProgress: 'pending',
  Waiting: 'pending',
  Reserved: 'pending',
  Authorized: 'pending',
  Canceled: 'failed',
  Succeeded: 'settled',
  Failed: 'failed',
  // The shop's payments have one transaction, so a partial state does not concern ours.
  PartiallySucceeded: 'pending',
  Expired: 'expired',
}

/** Barion's codes for an unknown payment. */
const NOT_FOUND = new Set(['PaymentNotFound', 'PaymentIdNotFound', 'InvalidPaymentId'])
/** Errors that mean wrong settings: they say nothing about a payment. */
const OUR_FAULT = /^(Authentication|Shop|Unauthorized|Forbidden)/i

export type BarionOptions = BarionSettings & {
  /** The address for Barion's callbacks. */
  readonly callbackUrl: string
}

/** Barion's gateway: the customer pays on its page, and its callbacks have no signature. */
export function barionProvider(options: BarionOptions): PaymentProvider {
  const client = barionClient(options)
  return {
    id: BARION_ID,
    capabilities: {
      kinds: ['redirect'],
      sandbox: false,
      minimumFt: MIN_TOP_UP_FT,
      maximumFt: MAX_TOP_UP_FT,
      tariffs: [],
      refunds: 'partial',
      tellsDisputes: false,
      windowMs: WINDOW_MS,
      signedHints: false,
    },
    open: (payment) => open(client, options, payment),
    fetchState: async ({ providerPaymentId }) => {
      const payment = await readState(client, providerPaymentId)
      return payment && observe(payment, options.payee)
    },
    parseHint: (request) => Promise.resolve(parseHint(request)),
    refund: (order) => refund(client, order),
  }
}

async function open(client: BarionClient, options: BarionOptions, payment: NewPayment): Promise<OpenedPayment> {
  const total = Number(inProviderUnits(payment.amount, EXPONENT))
  const item = {
    Name: 'Balance',
    Description: 'Balance',
    Quantity: 1,
    Unit: 'piece',
    UnitPrice: total,
    ItemTotal: total,
  }
  const started = await client.start({
    PaymentType: 'Immediate',
    PaymentWindow: WINDOW,
    FundingSources: ['All'],
    PaymentRequestId: `${payment.paymentId}-${payment.attempt}`,
    OrderNumber: payment.paymentId,
    RedirectUrl: payment.returnUrl,
    CallbackUrl: options.callbackUrl,
    Locale: LOCALE[payment.locale],
    Currency: payment.amount.currency,
    Transactions: [
      { POSTransactionId: payment.paymentId, Payee: options.payee, Total: total, Comment: '', Items: [item] },
    ],
  })
  if (!started.ok) throw refused(started.code)
  const providerPaymentId = plainId(started.value.PaymentId)
  return {
    providerPaymentId,
    next: { kind: 'redirect', url: `${options.payUrl}/Pay?id=${encodeURIComponent(providerPaymentId)}` },
  }
}

const refused = (code: string): AppError => new AppError('PROVIDER_FAILURE', `Barion refused: ${code}`)

/** Barion writes its ids with and without hyphens. */
const plainId = (id: string): string => id.replaceAll('-', '').toLowerCase()

async function readState(client: BarionClient, providerPaymentId: string): Promise<BarionPayment | null> {
  const answer = await client.state(providerPaymentId)
  if (answer.ok) return answer.value
  if (NOT_FOUND.has(answer.code)) return null
  throw refused(answer.code)
}

/** The shop's own transaction among the fees and refunds that refer to it. */
const mainOf = ({ Transactions }: BarionPayment): BarionTransaction | undefined =>
  Transactions.find(({ POSTransactionId, RelatedId }) => !!POSTransactionId && !RelatedId)

const amountOf = (total: number): bigint => BigInt(Math.round(total * 10 ** ANSWER_EXPONENT))

/** Refunds reduce the payment's own total, so its transaction is used. */
function observe(payment: BarionPayment, payee: string): ObservedPayment {
  const main = mainOf(payment)
  const isOurs = main?.Payee?.Email?.toLowerCase() === payee.toLowerCase()
  const amount: ObservedAmount = {
    minor: amountOf(main?.Total ?? 0),
    currency: main?.Currency ?? '',
    exponent: ANSWER_EXPONENT,
  }
  const refunds: SeenRefund[] = (main ? refundsOf(payment, main) : []).map((refund) => ({
    id: refund.TransactionId,
    refundId: refund.Comment ?? null,
    minor: amountOf(refund.Total),
    state: stateOfRefund(payment, refund),
  }))
  return {
    state: STATE[payment.Status],
    amount,
    reference: isOurs ? (main?.POSTransactionId ?? null) : null,
    refundedMinor: refunds.reduce((sum, { state, minor }) => (state === 'succeeded' ? sum + minor : sum), 0n),
    dispute: 'none',
    refunds,
    // Barion reports disputes only by mail: staff record them.
    disputes: [],
    failureCode: STATE[payment.Status] === 'failed' || payment.Status === 'Expired' ? payment.Status : null,
  }
}

const REFUND_TYPES = new Set(['Refund', 'RefundToBankCard', 'RefundToBankAccount'])

const refundsOf = ({ Transactions }: BarionPayment, main: BarionTransaction): BarionTransaction[] =>
  Transactions.filter(
    ({ RelatedId, TransactionType }) => RelatedId === main.TransactionId && REFUND_TYPES.has(TransactionType),
  )

/** A refund that the bank sent back is followed by a transaction that reverses it. */
function stateOfRefund({ Transactions }: BarionPayment, refund: BarionTransaction): ObservedRefund['state'] {
  const came = Transactions.some(
    ({ RelatedId, TransactionType }) =>
      RelatedId === refund.TransactionId && TransactionType.startsWith('StornoUnSuccessfulRefund'),
  )
  return came ? 'failed' : refundState(refund.Status)
}

function refundState(status: string): ObservedRefund['state'] {
  if (status === 'Succeeded') return 'succeeded'
  return ['Failed', 'Canceled', 'Rejected', 'Expired'].includes(status) ? 'failed' : 'pending'
}

/**
 * Our refund's id is stored in its comment: Barion has no idempotency key, so an existing refund is searched for first
 * (T12).
 */
async function refund(client: BarionClient, order: RefundOrder): Promise<ObservedRefund> {
  const payment = await readState(client, order.providerPaymentId)
  const main = payment ? mainOf(payment) : undefined
  if (!payment || !main) return { state: 'failed', providerRefundId: null, failureCode: 'PaymentNotFound' }
  const known = refundsOf(payment, main).find(({ Comment }) => Comment === order.refundId)
  if (known) {
    const state = stateOfRefund(payment, known)
    return { state, providerRefundId: known.TransactionId, failureCode: state === 'failed' ? known.Status : null }
  }
  const answer = await client.refund({
    PaymentId: order.providerPaymentId,
    TransactionsToRefund: [
      {
        TransactionId: main.TransactionId,
        POSTransactionId: main.POSTransactionId,
        AmountToRefund: Number(inProviderUnits(order.amount, EXPONENT)),
        Comment: order.refundId,
      },
    ],
  })
  if (!answer.ok) {
    if (OUR_FAULT.test(answer.code)) throw refused(answer.code)
    return { state: 'failed', providerRefundId: null, failureCode: answer.code }
  }
  const state = refundState(answer.value.Status)
  return {
    state,
    providerRefundId: answer.value.TransactionId,
    failureCode: state === 'failed' ? answer.value.Status : null,
  }
}

const PAYMENT_ID = /^[0-9a-f]{32}$/

/** The callback names a payment in its address or form, and proves nothing. */
function parseHint({ query, body }: { query: Readonly<Record<string, string>>; body: string }): Hints {
  const form = new URLSearchParams(body)
  const named = query['paymentId'] ?? query['PaymentId'] ?? form.get('PaymentId') ?? form.get('paymentId')
  const providerPaymentId = plainId(named ?? '')
  if (!PAYMENT_ID.test(providerPaymentId)) return { ok: false }
  return { ok: true, hints: [{ eventId: null, kind: 'callback', providerPaymentId }] }
}
