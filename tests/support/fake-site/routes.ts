import type { ErrorCode } from '#contracts/http/errors.ts'
import { ERROR_STATUS } from '#contracts/http/errors.ts'
import { OrderRequest, QuoteRequest } from '#contracts/http/order.ts'
import type { Server } from '#contracts/http/server.ts'
import { PowerRequest } from '#contracts/http/server.ts'
import type { ServerWord } from '#domain/servers/status.ts'
import { premiumOf, wheelOf } from './prizes.ts'
import { balance, idOf, quoteOf, serverOf, serversOf, services, transactionsOf, user } from './fixtures.ts'
import type { Server as ServerEntity } from '#contracts/http/server.ts'

export type FakeState = {
  servers: ServerEntity[]
  balanceFt: number
  isDown: boolean
  orders: Map<string, unknown>
  onState: (id: string, word: ServerWord) => void
}
export type FakeAnswer = { status: number; body: unknown }
export type FakeRequest = { method: string; path: string; body: unknown; key: string | undefined; nowMs: number }

const ok = (body: unknown, status = 200): FakeAnswer => ({ status, body })
export const refused = (code: ErrorCode, message: string, params?: Record<string, string>): FakeAnswer => ({
  status: ERROR_STATUS[code],
  body: { error: { code, message, requestId: 'E-7F2C-0418', ...(params ? { params } : {}) } },
})

export const createFakeState = (nowMs: number, scenario: string): FakeState => ({
  servers: scenario === 'new' ? [] : serversOf(nowMs),
  balanceFt: scenario === 'new' ? 0 : balance.balanceFt,
  isDown: scenario === 'down',
  orders: new Map(),
  onState: () => undefined,
})

const order = (state: FakeState, request: FakeRequest): FakeAnswer => {
  const known = request.key === undefined ? undefined : state.orders.get(request.key)
  if (known) return ok(known, 201)
  const parsed = OrderRequest.safeParse(request.body)
  if (!parsed.success) return refused('VALIDATION', 'Hibás kérés.')
  const quote = quoteOf(parsed.data, state.balanceFt, request.nowMs)
  if (quote.missingFt > 0) {
    return refused('INSUFFICIENT_BALANCE', 'Kevés az egyenleg.', { price: String(quote.missingFt) })
  }
  state.balanceFt -= quote.totalFt
  const number = state.servers.length + 1
  const facts = { number, name: parsed.data.name, identifier: 'm7pd4xkt', status: 'installing', days: 30 } as const
  const server: Server = serverOf({ ...facts, price: quote.monthlyFt }, request.nowMs)
  state.servers.push(server)
  const answer = {
    order: {
      id: idOf(7, number),
      state: 'provisioning',
      totalFt: quote.totalFt,
      createdAt: new Date(request.nowMs).toISOString(),
      failureReason: null,
    },
    server,
  }
  if (request.key !== undefined) state.orders.set(request.key, answer)
  return ok(answer, 201)
}

const wordAfter = { start: 'starting', restart: 'stopping', stop: 'stopping', kill: 'offline' } as const

const power = (state: FakeState, id: string, body: unknown): FakeAnswer => {
  const parsed = PowerRequest.safeParse(body)
  const server = state.servers.find((candidate) => candidate.id === id)
  if (!parsed.success || !server) return refused('NOT_FOUND', 'Nincs ilyen szerver.')
  server.status = wordAfter[parsed.data.action]
  state.onState(id, server.status)
  return ok({ accepted: true, commandId: idOf(8, 1) })
}

const serverRoute = (state: FakeState, request: FakeRequest): FakeAnswer => {
  const [, , , id = '', part = ''] = request.path.split('/')
  const server = state.servers.find((candidate) => candidate.id === id)
  if (!server) return refused('NOT_FOUND', 'Nincs ilyen szerver.')
  if (part === 'ws') {
    if (server.status === 'nodeoffline') return refused('NODE_UNREACHABLE', 'A gép nem válaszol.')
    return ok({ token: 'token', socket: `/servers/${id}/ws`, url: '' })
  }
  return part === 'power' ? power(state, id, request.body) : ok(server)
}

/** The responses of `/api`, from memory; undefined for an unknown call. */
export const answer = (state: FakeState, request: FakeRequest): FakeAnswer | undefined => {
  const { path, nowMs } = request
  if (path === '/api/user/me') return ok({ ...user, balance: state.isDown ? null : state.balanceFt })
  if (path === '/api/auth/gateway-ticket') return ok({ ticket: 'ticket', expires_in: 30 })
  if (path === '/api/switches') {
    return ok({ ordering: true, tickets: true, serverStart: true, couponUse: true, registration: true })
  }
  if (path.startsWith('/api/auth/')) return ok({ access_token: 'a', refresh_token: 'r', expires_in: 900 })
  if (state.isDown) return refused('CONTROL_PLANE_UNAVAILABLE', 'A vezérlés nem válaszol.')
  if (path === '/api/user/servers') return ok(state.servers)
  if (path === '/api/services') return ok(services)
  if (path === '/api/balance')
    return ok({ ...balance, balanceFt: state.balanceFt, bonusFt: Math.min(500, state.balanceFt) })
  if (path === '/api/balance/transactions') {
    return ok({ items: state.servers.length === 0 ? [] : transactionsOf(nowMs), next: null })
  }
  if (path === '/api/balance/topup') return ok({ transactionId: idOf(5, 1), redirectUrl: '/dashboard/balance/ok' })
  if (path === '/api/balance/topup/check') {
    const payment = transactionsOf(nowMs).find(({ type }) => type === 'top-up')
    if (state.servers.length === 0 || !payment) return refused('NOT_FOUND', 'Nincs ilyen fizetés.')
    const { id, document, paymentType: method, status, amount: amountFt, refundedFt } = payment
    const known = { transactionId: id, paymentId: document.id, method, status, amountFt, creditedFt: amountFt }
    return ok({ ...known, refundedFt, next: null })
  }
  if (path === '/api/orders/quote') {
    const parsed = QuoteRequest.safeParse(request.body)
    return parsed.success ? ok(quoteOf(parsed.data, state.balanceFt, nowMs)) : refused('VALIDATION', 'Hibás kérés.')
  }
  if (path === '/api/premium') return ok(premiumOf(state.balanceFt))
  if (path === '/api/spin') return ok(wheelOf(state.balanceFt))
  if (path === '/api/spin/history') return ok({ items: [], next: null })
  if (path === '/api/orders') return order(state, request)
  return path.startsWith('/api/server/') ? serverRoute(state, request) : undefined
}
