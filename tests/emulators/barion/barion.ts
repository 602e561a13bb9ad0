import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * The faults of Barion. `lost answer` executes a changing call and aborts the connection; `html` is the page of a
 * gateway in front of it.
 */
export type BarionFault = 'nothing' | 'down' | 'hang up' | 'lost answer' | 'html' | 'errors with 200' | 'half a payment'

export type BarionDecision = 'succeed' | 'fail' | 'cancel' | 'wait' | 'expire'

type Transaction = {
  TransactionId: string
  POSTransactionId: string | null
  TransactionTime: string
  Total: number
  Currency: string
  Payer: { Name: string | null; Email: string }
  Payee: { Name: string | null; Email: string }
  Comment: string | null
  Status: string
  TransactionType: string
  Items: unknown[]
  RelatedId: string | null
  POSId: string
  PaymentId: string
}

type Payment = {
  PaymentId: string
  PaymentRequestId: string
  OrderNumber: string
  Status: string
  Total: number
  Currency: string
  RedirectUrl: string
  CallbackUrl: string
  Transactions: Transaction[]
}

export type BarionEmulator = {
  readonly url: string
  /** Every call of the API, as `METHOD path`. */
  readonly calls: string[]
  readonly payments: () => readonly Payment[]
  /** Money sent back to customers by refunds. */
  readonly refunds: () => readonly { total: number; comment: string }[]
  set(fault: BarionFault): void
  /** The payer's decision on the payment page. */
  decide(paymentId: string, decision: BarionDecision): void
  /** Changes the facts that Barion reports of a payment: amount, currency, reference or payee. */
  tamper(paymentId: string, change: Partial<Transaction>): void
  /** The bank returns a refund. */
  returnRefund(comment: string): void
  /** Calls the shop back as Barion does: unsigned, with the id in the address. Returns the shop's status. */
  callBack(paymentId: string): Promise<number>
  close(): Promise<void>
}

type Story = {
  readonly posKey: string
  readonly payee: string
  readonly payments: Map<string, Payment>
  readonly calls: string[]
  fault: BarionFault
}

const newId = (): string => randomUUID().replaceAll('-', '')
const now = (): string => new Date().toISOString()

const json = (response: ServerResponse, status: number, body: unknown) => {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(body))
}

const errors = (code: string, endPoint: string, description = code) => ({
  Errors: [
    {
      ErrorCode: code,
      Title: code,
      Description: description,
      EndPoint: endPoint,
      AuthData: '',
      HappenedAt: now(),
      PaymentId: null,
    },
  ],
})

type Refusal = { status: number; body: object }
const refuse = (code: string, endPoint: string, status = 400): Refusal => ({ status, body: errors(code, endPoint) })

const REQUIRED = ['PaymentType', 'PaymentRequestId', 'FundingSources', 'Locale', 'Currency', 'Transactions'] as const
const LOCALES = ['hu-HU', 'en-US', 'de-DE', 'cs-CZ', 'fr-FR', 'es-ES', 'sk-SK', 'sl-SI', 'el-GR']

type StartBody = {
  PaymentType: string
  FundingSources?: string[]
  PaymentRequestId: string
  PaymentWindow?: string
  ReservationPeriod?: string
  GuestCheckOut?: boolean
  OrderNumber?: string
  RedirectUrl?: string
  CallbackUrl?: string
  Locale: string
  Currency: string
  Transactions: { POSTransactionId: string; Payee: string; Total: number; Comment?: string; Items?: unknown[] }[]
}

/** The rules of Start that a shop can break. */
function problemOf(body: StartBody, story: Story): string | undefined {
  if (REQUIRED.some((field) => body[field] === undefined)) return 'ModelValidationError'
  if (body.PaymentRequestId.length > 100 || (body.RedirectUrl?.length ?? 0) > 2000) return 'ModelValidationError'
  if (body.PaymentType === 'Immediate' && body.ReservationPeriod !== undefined) return 'ModelValidationError'
  if (body.GuestCheckOut !== undefined || !LOCALES.includes(body.Locale)) return 'ModelValidationError'
  if (body.PaymentWindow !== undefined && !/^\d{1,2}:\d{2}:\d{2}$/.test(body.PaymentWindow))
    return 'ModelValidationError'
  for (const { Payee, Total, Items, POSTransactionId } of body.Transactions) {
    if (!POSTransactionId || !Items?.length || !(Total > 0)) return 'ModelValidationError'
    if (body.Currency === 'HUF' && !Number.isInteger(Total)) return 'InvalidAmount'
    if (Payee !== story.payee) return 'InvalidUser'
  }
  return undefined
}

function start(story: Story, body: StartBody): Refusal {
  const endPoint = '/v2/Payment/Start'
  const problem = problemOf(body, story)
  if (problem) return refuse(problem, endPoint)
  const PaymentId = newId()
  const [first] = body.Transactions
  if (!first) return refuse('ModelValidationError', endPoint)
  const main: Transaction = {
    TransactionId: newId(),
    POSTransactionId: first.POSTransactionId,
    TransactionTime: now(),
    Total: first.Total,
    Currency: body.Currency,
    Payer: { Name: null, Email: 'payer@example.test' },
    Payee: { Name: null, Email: first.Payee },
    Comment: first.Comment ?? null,
    Status: 'Prepared',
    TransactionType: 'CardPayment',
    Items: first.Items ?? [],
    RelatedId: null,
    POSId: newId(),
    PaymentId,
  }
  story.payments.set(PaymentId, {
    PaymentId,
    PaymentRequestId: body.PaymentRequestId,
    OrderNumber: body.OrderNumber ?? '',
    Status: 'Prepared',
    Total: first.Total,
    Currency: body.Currency,
    RedirectUrl: body.RedirectUrl ?? '',
    CallbackUrl: body.CallbackUrl ?? '',
    Transactions: [main],
  })
  return {
    status: 200,
    body: {
      PaymentId,
      PaymentRequestId: body.PaymentRequestId,
      Status: 'Prepared',
      QRUrl: '',
      Transactions: [
        { POSTransactionId: main.POSTransactionId, TransactionId: main.TransactionId, Status: main.Status },
      ],
      RecurrenceResult: 'None',
      GatewayUrl: '',
      RedirectUrl: body.RedirectUrl ?? '',
      CallbackUrl: body.CallbackUrl ?? '',
      Errors: [],
    },
  }
}

const paymentOf = (story: Story, id: string): Payment | undefined =>
  story.payments.get(id.replaceAll('-', '').toLowerCase())

function state(story: Story, id: string): Refusal {
  const payment = paymentOf(story, id)
  const endPoint = `/v4/Payment/${id}/PaymentState`
  if (!payment) return refuse('PaymentNotFound', endPoint, 404)
  return { status: 200, body: { ...payment, PaymentType: 'Immediate', FundingSource: 'BankCard', Errors: [] } }
}

type RefundBody = {
  PaymentId: string
  TransactionsToRefund: { TransactionId: string; POSTransactionId: string; AmountToRefund: number; Comment: string }[]
}

function refund(story: Story, body: RefundBody): Refusal {
  const endPoint = '/v2/Payment/Refund'
  const payment = paymentOf(story, body.PaymentId ?? '')
  const [wanted] = body.TransactionsToRefund ?? []
  if (!payment || !wanted) return refuse('PaymentNotFound', endPoint)
  const main = payment.Transactions.find(({ TransactionId }) => TransactionId === wanted.TransactionId)
  if (!main || main.POSTransactionId !== wanted.POSTransactionId) return refuse('TransactionNotFound', endPoint)
  if (payment.Status !== 'Succeeded') return refuse('PaymentIsNotInRefundableState', endPoint)
  if (payment.Currency === 'HUF' && !Number.isInteger(wanted.AmountToRefund)) return refuse('InvalidAmount', endPoint)
  if (wanted.AmountToRefund > payment.Total) return refuse('RefundAmountIsTooLarge', endPoint)
  const sent: Transaction = {
    ...main,
    TransactionId: newId(),
    TransactionTime: now(),
    Total: wanted.AmountToRefund,
    Payer: main.Payee,
    Payee: main.Payer,
    Comment: wanted.Comment,
    Status: 'Succeeded',
    TransactionType: 'RefundToBankCard',
    Items: [],
    RelatedId: main.TransactionId,
  }
  payment.Transactions.push(sent)
  payment.Total -= wanted.AmountToRefund
  const { TransactionId, Total, POSTransactionId, Comment, Status } = sent
  const RefundedTransactions = [{ TransactionId, Total, POSTransactionId, Comment, Status }]
  return { status: 200, body: { PaymentId: payment.PaymentId, RefundedTransactions, Errors: [] } }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

const parse = <Body>(text: string): Body => JSON.parse(text || '{}') as Body

/** Barion's pages on which a person decides. */
const PAGE = `<!doctype html><html lang="hu"><head><meta charset="utf-8"><title>Barion</title></head><body><h1>Barion</h1>
<form method="post"><button name="decision" value="succeed">Fizetés</button><button name="decision" value="fail">Elutasítás</button>
<button name="decision" value="cancel">Mégse</button></form></body></html>`

function decide(story: Story, paymentId: string, decision: BarionDecision): void {
  const payment = paymentOf(story, paymentId)
  if (!payment) throw new Error('Barion has no such payment')
  const status = { succeed: 'Succeeded', fail: 'Failed', cancel: 'Canceled', wait: 'Waiting', expire: 'Expired' }[
    decision
  ]
  payment.Status = status
  const [main] = payment.Transactions
  if (main) main.Status = status
  if (decision !== 'succeed' || !main) return
  const fee = { ...main, TransactionId: newId(), POSTransactionId: null, Total: 1, Payer: main.Payee, Items: [] }
  payment.Transactions.push({ ...fee, TransactionType: 'GatewayFee', Status: 'Reserved' })
}

async function page(story: Story, id: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const payment = paymentOf(story, id)
  if (!payment) return json(response, 404, {})
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(PAGE)
    return
  }
  const decision = new URLSearchParams(await bodyOf(request)).get('decision')
  decide(story, payment.PaymentId, decision === 'fail' || decision === 'cancel' ? decision : 'succeed')
  await callBack(payment)
  const back = new URL(payment.RedirectUrl)
  back.searchParams.set('paymentId', payment.PaymentId)
  response.writeHead(303, { location: back.href })
  response.end()
}

async function callBack(payment: Payment): Promise<number> {
  const url = new URL(payment.CallbackUrl)
  url.searchParams.set('paymentId', payment.PaymentId)
  const answer = await fetch(url, { method: 'POST' }).catch(() => undefined)
  return answer?.status ?? 0
}

function answerOf(story: Story, request: IncomingMessage, path: string, text: string): Refusal {
  if (request.headers['x-pos-key'] !== story.posKey) return refuse('AuthenticationFailed', path, 401)
  if (path === '/v2/Payment/Start') return start(story, parse<StartBody>(text))
  if (path === '/v2/Payment/Refund') return refund(story, parse<RefundBody>(text))
  const id = /^\/v4\/Payment\/([^/]+)\/PaymentState$/i.exec(path)?.[1]
  return id === undefined ? refuse('NotFound', path, 404) : state(story, decodeURIComponent(id))
}

async function serve(story: Story, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://barion.test')
  if (pathname === '/Pay') return page(story, searchParams.get('id') ?? '', request, response)
  story.calls.push(`${request.method} ${pathname}`)
  const text = await bodyOf(request)
  if (story.fault === 'hang up') return void request.socket.destroy()
  if (story.fault === 'down') return json(response, 502, {})
  if (story.fault === 'html') return void response.end('<html>Bad gateway</html>')
  const { status, body } = answerOf(story, request, pathname, text)
  if (story.fault === 'lost answer' && request.method === 'POST') return void request.socket.destroy()
  if (story.fault === 'errors with 200') return json(response, 200, errors('SystemError', pathname))
  if (story.fault === 'half a payment') return json(response, 200, { PaymentId: newId() })
  json(response, status, body)
}

/**
 * Barion's API and its page, as published: Start v2, PaymentState v4, Refund v2, callbacks without a signature, lists of errors,
 * forints without decimals, totals that shrink with refunds.
 */
export async function startBarion({
  port = 0,
  ...keys
}: {
  posKey: string
  payee: string
  port?: number
}): Promise<BarionEmulator> {
  const story: Story = { ...keys, payments: new Map(), calls: [], fault: 'nothing' }
  const server = createServer((request, response) => void serve(story, request, response))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const find = (id: string): Payment => {
    const payment = paymentOf(story, id)
    if (!payment) throw new Error('Barion has no such payment')
    return payment
  }
  const all = () => [...story.payments.values()].flatMap(({ Transactions }) => Transactions)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: story.calls,
    payments: () => [...story.payments.values()],
    refunds: () =>
      all()
        .filter(({ TransactionType }) => TransactionType === 'RefundToBankCard')
        .map(({ Total, Comment }) => ({ total: Total, comment: Comment ?? '' })),
    set: (fault) => {
      story.fault = fault
    },
    decide: (id, decision) => decide(story, id, decision),
    tamper: (id, change) => {
      const [main] = find(id).Transactions
      if (main) Object.assign(main, change)
    },
    returnRefund: (comment) => {
      const sent = all().find(({ Comment }) => Comment === comment)
      if (!sent) throw new Error('Barion sent no such refund')
      const payment = find(sent.PaymentId)
      payment.Total += sent.Total
      payment.Transactions.push({
        ...sent,
        TransactionId: newId(),
        Comment: null,
        TransactionType: 'StornoUnSuccessfulRefundToBankCard',
        RelatedId: sent.TransactionId,
      })
    },
    callBack: (id) => callBack(find(id)),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
