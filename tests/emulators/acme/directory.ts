import { X509Certificate, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import * as z from 'zod'

import { Authority, type Life } from './authority.ts'
import { Refusal, checkSigned, isBound, thumbprintOf, type Jwk, type SignedRequest } from './signed-request.ts'

const NewAccount = z.object({
  termsOfServiceAgreed: z.literal(true),
  contact: z.array(z.string().startsWith('mailto:')).optional(),
  externalAccountBinding: z.unknown().optional(),
})
const NewOrder = z.object({
  identifiers: z.array(z.strictObject({ type: z.literal('dns'), value: z.string() })).length(1),
  replaces: z.string().optional(),
})
const Finalize = z.strictObject({ csr: z.string() })

interface OrderState {
  readonly id: string
  readonly account: string
  readonly name: string
  readonly token: string
  readonly replaces: string | undefined
  status: 'pending' | 'ready' | 'processing' | 'valid' | 'invalid'
  authorization: 'pending' | 'valid' | 'invalid'
  error?: string
  certificate?: string
}

export type Route =
  'directory' | 'nonce' | 'account' | 'order' | 'read' | 'challenge' | 'finalize' | 'certificate' | 'info'

/**
 * The possible faults: a refused nonce, too many requests or an outage with Retry-After in seconds, a failing check, an
 * order that stays in one state, a deleted account, a terms page that must be read, an aborted connection, a response
 * that is not JSON, a certificate for another name or key, an unsafe address.
 */
export interface Faults {
  badNonce: number
  rateLimited: { route: Route; times: number; retryAfter: string } | undefined
  serverError: { route: Route; times: number; retryAfter?: string } | undefined
  cut: Route | undefined
  garbage: Route | undefined
  invalidChallenge: boolean
  neverReady: boolean
  orderInvalid: boolean
  processingPolls: number
  pollRetryAfter: string | undefined
  wrongName: string | undefined
  unsafeOrder: string | undefined
}

const NO_FAULTS: Faults = {
  badNonce: 0,
  rateLimited: undefined,
  serverError: undefined,
  cut: undefined,
  garbage: undefined,
  invalidChallenge: false,
  neverReady: false,
  orderInvalid: false,
  processingPolls: 0,
  pollRetryAfter: undefined,
  wrongName: undefined,
  unsafeOrder: undefined,
}

const DAY_MS = 24 * 3_600_000

export interface DirectoryOptions {
  /** The port at which names are checked; every name resolves to this machine. */
  readonly challengePort: number
  readonly now?: () => number
  readonly tls?: { readonly cert: string; readonly key: string }
  readonly externalAccount?: { readonly keyId: string; readonly hmacKey: string }
}

/** A directory that implements RFC 8555 strictly for one name with http-01, and fails on request. */
export class AcmeDirectory {
  readonly authority = new Authority()
  readonly #options: DirectoryOptions
  readonly #server: Server
  readonly #nonces = new Set<string>()
  readonly #accounts = new Map<string, Jwk>()
  readonly #orders = new Map<string, OrderState>()
  #base = ''
  faults: Faults = { ...NO_FAULTS }
  /** Validity of the next certificates; undefined: 90 days. */
  life: (() => Life) | undefined
  /** The answer of renewal information; undefined: the directory offers none. */
  window: { readonly start: string; readonly end: string } | undefined
  /** Routes in the order of their requests. */
  readonly requests: Route[] = []
  /** The responses that name checks read, in order. */
  readonly checks: string[] = []

  constructor(options: DirectoryOptions) {
    this.#options = options
    const answer: RequestListener = (request, response) => void this.#serve(request, response)
    this.#server = options.tls === undefined ? createServer(answer) : createTlsServer({ ...options.tls }, answer)
  }

  async open(port = 0): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve))
    const scheme = this.#options.tls === undefined ? 'http' : 'https'
    this.#base = `${scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return `${this.#base}/directory`
  }

  async close(): Promise<void> {
    await new Promise((resolve) => {
      this.#server.close(resolve)
      this.#server.closeAllConnections()
    })
    this.authority.remove()
  }

  get orders(): readonly OrderState[] {
    return [...this.#orders.values()]
  }

  get accounts(): number {
    return this.#accounts.size
  }

  /** How often a route was requested. */
  count(route: Route): number {
    return this.requests.filter((each) => each === route).length
  }

  /** Deletes all accounts, as some authorities do after a year without use. */
  expireAccounts(): void {
    this.#accounts.clear()
  }

  heal(): void {
    this.faults = { ...NO_FAULTS }
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, body: unknown, headers: Record<string, string> = {}): void => {
      const nonce = randomBytes(16).toString('base64url')
      this.#nonces.add(nonce)
      const isText = typeof body === 'string'
      const type = isText ? 'application/pem-certificate-chain' : 'application/json'
      response.writeHead(status, {
        'content-type': type,
        'replay-nonce': nonce,
        'cache-control': 'no-store',
        ...headers,
      })
      response.end(isText ? body : JSON.stringify(body))
    }
    try {
      const [route, id] = this.#route(request)
      this.requests.push(route)
      if (this.faults.cut === route) return void response.destroy()
      if (this.faults.garbage === route) return void send(200, 'no JSON')
      if (request.headers['user-agent'] === undefined) throw new Refusal(400, 'malformed', 'Say who asks.')
      this.#failPlanned(route)
      await this.#answer(route, id, request, send)
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal(500, 'serverInternal', String(error))
      const type = { 'content-type': 'application/problem+json' }
      const problem = { type: `urn:ietf:params:acme:error:${refusal.type}`, detail: refusal.message }
      send(refusal.status, problem, { ...refusal.headers, ...type })
    }
  }

  #route(request: IncomingMessage): [Route, string] {
    const [, name = '', id = ''] = (request.url ?? '').split('/')
    const routes: Record<string, Route> = {
      directory: 'directory',
      'new-nonce': 'nonce',
      'new-account': 'account',
      'new-order': 'order',
      order: 'read',
      authorization: 'read',
      challenge: 'challenge',
      finalize: 'finalize',
      certificate: 'certificate',
      'renewal-info': 'info',
    }
    const route = routes[name]
    if (route === undefined) throw new Refusal(404, 'malformed', 'There is nothing here.')
    return [route, id]
  }

  #failPlanned(route: Route): void {
    const { rateLimited, serverError } = this.faults
    if (rateLimited?.route === route && rateLimited.times-- > 0) {
      throw new Refusal(429, 'rateLimited', 'Too many of them.', { 'retry-after': rateLimited.retryAfter })
    }
    if (serverError?.route === route && serverError.times-- > 0) {
      const { retryAfter } = serverError
      const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
      throw new Refusal(503, 'serverInternal', 'Down for maintenance.', headers)
    }
  }

  async #answer(
    route: Route,
    id: string,
    request: IncomingMessage,
    send: (status: number, body: unknown, headers?: Record<string, string>) => void,
  ): Promise<void> {
    if (route === 'directory') return send(200, this.#directory())
    if (route === 'nonce') return send(200, '')
    if (route === 'info') return send(200, { suggestedWindow: this.window })
    const signed = this.#signed(await text(request), request)
    if (route === 'account') return this.#newAccount(signed, send)
    if (signed.account === undefined) throw new Refusal(400, 'malformed', 'Only newAccount takes a key.')
    if (route === 'order') return this.#newOrder(signed.account, signed, send)
    const order = this.#orders.get(id)
    if (order === undefined || order.account !== signed.account) throw new Refusal(404, 'malformed', 'No such thing.')
    const isQuestion = signed.payload === undefined
    if (isQuestion === (route === 'challenge' || route === 'finalize')) throw new Refusal(400, 'malformed', 'No.')
    if (route === 'challenge') void this.#check(order, signed.jwk)
    if (route === 'finalize') this.#finalize(order, signed.payload)
    if (route === 'certificate') return send(200, order.certificate)
    const { pollRetryAfter } = this.faults
    const isAuthorization = request.url?.startsWith('/authorization/') === true
    if (!isAuthorization && route === 'read') this.#step(order)
    const body = isAuthorization ? this.#authorization(order) : this.#order(order)
    return send(200, body, pollRetryAfter === undefined ? {} : { 'retry-after': pollRetryAfter })
  }

  #signed(body: string, request: IncomingMessage): SignedRequest {
    if (this.faults.badNonce > 0) {
      this.faults.badNonce -= 1
      throw new Refusal(400, 'badNonce', 'Another one, please.')
    }
    const about = { url: `${this.#base}${request.url ?? ''}`, contentType: request.headers['content-type'] }
    return checkSigned(body, about, {
      takeNonce: (nonce) => this.#nonces.delete(nonce),
      keyOf: (account) => this.#accounts.get(account),
    })
  }

  #directory(): object {
    const { externalAccount } = this.#options
    const url = (path: string): string => `${this.#base}/${path}`
    return {
      newNonce: url('new-nonce'),
      newAccount: url('new-account'),
      newOrder: url('new-order'),
      ...(this.window === undefined ? {} : { renewalInfo: url('renewal-info') }),
      meta: { termsOfService: url('terms'), externalAccountRequired: externalAccount !== undefined },
    }
  }

  #newAccount(
    { jwk, account, payload }: SignedRequest,
    send: (status: number, body: unknown, headers: Record<string, string>) => void,
  ): void {
    if (account !== undefined) throw new Refusal(400, 'malformed', 'newAccount wants the key.')
    const asked = NewAccount.safeParse(payload).data
    if (asked === undefined) throw new Refusal(403, 'userActionRequired', 'Accept the terms first.')
    const { externalAccount } = this.#options
    const binding =
      externalAccount === undefined ? undefined : { ...externalAccount, jwk, url: `${this.#base}/new-account` }
    if (binding !== undefined && !isBound(asked.externalAccountBinding, binding)) {
      throw new Refusal(403, 'externalAccountRequired', 'No customer of ours.')
    }
    const location = `${this.#base}/account/${thumbprintOf(jwk)}`
    const isNew = !this.#accounts.has(location)
    this.#accounts.set(location, jwk)
    send(isNew ? 201 : 200, { status: 'valid' }, { location })
  }

  #newOrder(
    account: string,
    { payload }: SignedRequest,
    send: (status: number, body: unknown, headers: Record<string, string>) => void,
  ): void {
    const asked = NewOrder.safeParse(payload).data
    const name = asked?.identifiers[0]?.value
    if (name === undefined) throw new Refusal(400, 'rejectedIdentifier', 'One name, please.')
    const isReplaced = this.orders.some(({ replaces }) => replaces !== undefined && replaces === asked?.replaces)
    if (isReplaced) throw new Refusal(409, 'alreadyReplaced', 'That one is replaced already.')
    const [id, token] = [randomBytes(8).toString('hex'), randomBytes(24).toString('base64url')]
    const state = { status: 'pending', authorization: 'pending' } as const
    const order: OrderState = { id, token, account, name, replaces: asked?.replaces, ...state }
    this.#orders.set(id, order)
    send(201, this.#order(order), { location: `${this.#base}/order/${id}` })
  }

  #order(order: OrderState): object {
    const authorization = this.faults.unsafeOrder ?? `${this.#base}/authorization/${order.id}`
    return {
      status: order.status,
      identifiers: [{ type: 'dns', value: order.name }],
      authorizations: [authorization],
      finalize: `${this.#base}/finalize/${order.id}`,
      ...(order.status === 'valid' ? { certificate: `${this.#base}/certificate/${order.id}` } : {}),
      ...(order.status === 'invalid' ? { error: { detail: order.error ?? 'It is invalid.' } } : {}),
    }
  }

  #authorization(order: OrderState): object {
    const url = `${this.#base}/challenge/${order.id}`
    const failed = order.authorization === 'invalid' ? { error: { type: 'unauthorized', detail: order.error } } : {}
    return {
      status: order.authorization,
      identifier: { type: 'dns', value: order.name },
      challenges: [
        { type: 'dns-01', url: `${url}-dns`, token: order.token, status: 'pending' },
        { type: 'http-01', url, token: order.token, status: order.authorization, ...failed },
      ],
    }
  }

  /**
   * Checks a name as an authority does: it requests the text that only the account's holder knows from the name's port.
   */
  async #check(order: OrderState, jwk: Jwk): Promise<void> {
    const url = `http://127.0.0.1:${this.#options.challengePort}/.well-known/acme-challenge/${order.token}`
    const wanted = `${order.token}.${thumbprintOf(jwk)}`
    const told = await fetch(url, { redirect: 'error' })
      .then((answer) => (answer.ok ? answer.text() : `status ${answer.status}`))
      .catch((error: unknown) => `nobody answers: ${String(error)}`)
    this.checks.push(told)
    const isRight = told === wanted && !this.faults.invalidChallenge
    order.authorization = isRight ? 'valid' : 'invalid'
    if (!isRight) order.error = `The text at ${order.name} is wrong.`
    if (isRight && !this.faults.neverReady) order.status = 'ready'
    if (!isRight) order.status = 'invalid'
  }

  #finalize(order: OrderState, payload: unknown): void {
    if (order.status !== 'ready') throw new Refusal(403, 'orderNotReady', `The order is ${order.status}.`)
    const request = Buffer.from(Finalize.parse(payload).csr, 'base64url')
    const names = this.authority.namesOf(request)
    if (names.length !== 1 || names[0] !== order.name) throw new Refusal(400, 'badCSR', 'The names are others.')
    if (this.faults.orderInvalid) {
      Object.assign(order, { status: 'invalid', error: 'The authority changed its mind.' })
      return
    }
    const nowMs = (this.#options.now ?? Date.now)()
    const life = this.life?.() ?? { startsAtMs: nowMs - 3_600_000, endsAtMs: nowMs + 90 * DAY_MS }
    order.certificate = this.authority.sign(request, [this.faults.wrongName ?? order.name], life)
    order.status = 'processing'
  }

  /** Reports an order as finished after as many requests as the test sets. */
  #step(order: OrderState): void {
    if (order.status !== 'processing') return
    if (this.faults.processingPolls > 0) this.faults.processingPolls -= 1
    else order.status = 'valid'
  }

  /** Serial of the newest certificate, upper-case hexadecimal. */
  newestSerial(): string | undefined {
    const newest = this.orders.findLast(({ certificate }) => certificate !== undefined)?.certificate
    return newest === undefined ? undefined : new X509Certificate(newest).serialNumber
  }
}
