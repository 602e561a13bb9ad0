import { randomBytes, randomUUID } from 'node:crypto'
import { WebSocket } from 'ws'
import * as z from 'zod'

import { GatewayTicketAnswer, TokenAnswer } from '../../src/contracts/http/auth.ts'
import { TopupAnswer } from '../../src/contracts/http/balance.ts'
import { OrderAnswer } from '../../src/contracts/http/order.ts'
import { ConsoleAccess } from '../../src/contracts/http/server.ts'
import { Service } from '../../src/contracts/http/service.ts'
import { drawCanary, SETTING_SECRETS, type Canaries } from './canaries.ts'
import type { CanaryPayments } from './canary-payments.ts'
import { mailedCode, mailedLink } from './demo-mail.ts'
import type { DemoFile } from './demo.ts'
import { codeAt, nextCode } from './totp-code.ts'
import { paySandbox } from './sandbox-payment.ts'
import { waitFor } from './wait-for.ts'

type Sent = { headers?: Record<string, string>; body?: unknown; address?: string }
type Heard = { status: number; text: string; cookies: string[]; json: () => unknown }
export type Send = (method: string, path: string, sent?: Sent) => Promise<Heard>

/** Sends calls to the demo and records the responses. */
export const sender =
  (demo: DemoFile, canaries: Canaries): Send =>
  async (method, path, { headers, body, address = '203.0.113.7' } = {}) => {
    const answer = await fetch(new URL(path, demo.url), {
      method,
      redirect: 'manual',
      headers: {
        origin: demo.url,
        'x-forwarded-for': address,
        'idempotency-key': randomUUID(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const told = [answer.headers.get('location') ?? '', ...answer.headers.getSetCookie(), text].join('\n')
    const isOwn = answer.headers.get('cache-control')?.includes('private') === true
    const [own, query = null] = path.split('?')
    canaries.heard(`${method} ${own}`, { text: told, status: answer.status, ownQuery: isOwn ? query : null })
    const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
    return { status: answer.status, text, cookies, json: () => JSON.parse(text) as unknown }
  }

/** Opens a socket, sends the given message and waits for the first reply. */
const talk = async (address: string, origin: string, first?: object): Promise<void> => {
  const socket = new WebSocket(address, { origin })
  const answered = new Promise<void>((done, fail) => {
    socket.once('message', () => done())
    socket.once('error', fail)
    socket.once('close', (code) => fail(new Error(`closed with ${code}`)))
  })
  socket.once('open', () => {
    if (first) socket.send(JSON.stringify(first))
  })
  await answered
  socket.terminate()
}

const expectOk = (what: string, { status, text }: Heard): void => {
  if (status >= 300) throw new Error(`${what} was answered with ${status}: ${text}`)
}

const noteCookies = (canaries: Canaries, cookies: readonly string[]): void => {
  for (const cookie of cookies) {
    const [name = '', value = ''] = [cookie.split('=')[0], cookie.slice(cookie.indexOf('=') + 1)]
    if (value.length >= 20) canaries.note(`cookie ${name}`, value, ...HANDS_OUT_COOKIES)
  }
}
// The tokens of the cookies are in the body too, for clients without cookies.
const HANDS_OUT_COOKIES = ['POST /api/auth/login', 'POST /api/auth/login/factor', 'POST /api/auth/refresh']

export class CanaryJourney {
  readonly #demo: DemoFile
  readonly #canaries: Canaries
  readonly #send: Send
  #headers: Record<string, string> = {}
  readonly #person: { username: string; password: string; email: string }

  constructor(demo: DemoFile, canaries: Canaries) {
    this.#demo = demo
    this.#canaries = canaries
    this.#send = sender(demo, canaries)
    const username = `canary-${randomBytes(4).toString('hex')}`
    const password = canaries.note('password', drawCanary('password'))
    this.#person = { username, password, email: `${username}@example.com` }
  }

  /** Every action of a person and an administrator that involves secrets, once. */
  async run(payments?: CanaryPayments): Promise<void> {
    await this.#register()
    await this.#confirm()
    await this.#secondFactor()
    await this.#rent()
    await payments?.pay(this.#send, this.#headers, this.#canaries)
    await this.#strayTokens()
    await this.#settings()
    await this.#leave()
  }

  async #register(): Promise<void> {
    const { password } = this.#person
    const body = { ...this.#person, passwordConfirm: password, acceptTerms: true }
    expectOk('the registration', await this.#send('POST', '/api/auth/register', { body }))
    const wrong = this.#canaries.note('wrong password', drawCanary('wrong'))
    await this.#send('POST', '/api/auth/login', { body: { username: this.#person.username, password: wrong } })
    await this.#signIn({})
    const answer = await this.#send('GET', '/api/auth/gateway-ticket', { headers: this.#headers })
    const { ticket } = GatewayTicketAnswer.parse(answer.json())
    this.#canaries.note('gateway ticket', ticket, 'GET /api/auth/gateway-ticket')
    await talk(`${this.#demo.url.replace('http', 'ws')}/api/ws/gateway?token=${ticket}`, this.#demo.url)
  }

  async #signIn(more: { code?: string }): Promise<TokenAnswer> {
    const { username, password } = this.#person
    const answer = await this.#send('POST', '/api/auth/login', { body: { username, password, ...more } })
    expectOk('the sign-in', answer)
    return this.#hold(answer, 'POST /api/auth/login')
  }

  #hold(answer: Heard, call: string): TokenAnswer {
    const tokens = TokenAnswer.parse(answer.json())
    this.#canaries.note('access token', tokens.access_token, call)
    this.#canaries.note('refresh token', tokens.refresh_token, call)
    noteCookies(this.#canaries, answer.cookies)
    this.#headers = { authorization: `Bearer ${tokens.access_token}` }
    return tokens
  }

  async #confirm(): Promise<void> {
    const read = async (path: string) => (await this.#send('GET', path)).text
    const readMail = async (path: string) => (await fetch(new URL(path, this.#demo.url))).text()
    const code = this.#canaries.note('verification code', await mailedCode(readMail, this.#person.email))
    expectOk('the code', await this.#send('POST', '/api/auth/verify', { headers: this.#headers, body: { code } }))
    await this.#send('POST', '/api/auth/passwordreset', { body: { email: this.#person.email } })
    const link = await mailedLink(readMail, this.#person.email, /^\/auth\/passwordreset/)
    this.#canaries.note('reset token', link.split('=')[1])
    await read(link)
  }

  async #secondFactor(): Promise<void> {
    const { password } = this.#person
    const call = async (path: string, body: object) => {
      const answer = await this.#send('POST', path, { headers: this.#headers, body })
      expectOk(path, answer)
      return answer
    }
    const setup = z.object({ secret: z.string() }).parse((await call('/api/user/2fa/setup', { password })).json())
    const secret = this.#canaries.note('TOTP secret', setup.secret, 'POST /api/user/2fa/setup')
    const enabled = await call('/api/user/2fa/enable', { code: await codeAt(secret, Date.now()) })
    const { recoveryCodes } = z.object({ recoveryCodes: z.array(z.string()) }).parse(enabled.json())
    for (const code of recoveryCodes) this.#canaries.note('recovery code', code, 'POST /api/user/2fa/enable')
    const { username } = this.#person
    const first = await this.#send('POST', '/api/auth/login', { body: { username, password } })
    const { error } = z.object({ error: z.object({ params: z.object({ challenge: z.string() }) }) }).parse(first.json())
    const { challenge } = error.params
    this.#canaries.note('challenge', challenge, 'POST /api/auth/login')
    noteCookies(this.#canaries, first.cookies)
    // Each code works once: the current one was used when the app was enabled.
    const code = await nextCode(secret)
    const headers = { cookie: first.cookies.join('; ') }
    const second = await this.#send('POST', '/api/auth/login/factor', { headers, body: { challenge, code } })
    expectOk('the second step', second)
    this.#hold(second, 'POST /api/auth/login/factor')
    await this.#signIn({ code: recoveryCodes[0] ?? '' })
    for (const path of ['/api/user/me', '/api/user/2fa', '/api/user/sessions', '/api/user/activities'])
      await this.#send('GET', path, { headers: this.#headers })
  }

  async #rent(): Promise<void> {
    const headers = this.#headers
    const body = { amount: 5_000, method: 'sandbox', acceptTerms: true }
    const { redirectUrl } = TopupAnswer.parse(
      (await this.#send('POST', '/api/balance/topup', { headers, body })).json(),
    )
    await paySandbox(redirectUrl)
    const balance = async () => (await this.#send('GET', '/api/balance', { headers })).json() as { balanceFt: number }
    await waitFor('the money', async () => (await balance()).balanceFt === 5_000)
    const services = z.array(Service).parse((await this.#send('GET', '/api/services', { headers })).json())
    const bot = services.find(({ slug }) => slug === 'bot')
    const order = { serviceId: bot?.id, packageId: bot?.packages[0]?.id, months: 1, name: 'Watchman' }
    const { server } = OrderAnswer.parse((await this.#send('POST', '/api/orders', { headers, body: order })).json())
    const path = `/api/server/${server.id}/ws`
    const access = ConsoleAccess.parse((await this.#send('GET', path, { headers })).json())
    this.#canaries.note('console token', access.token, `GET ${path}`)
    const first = { event: 'auth', args: [access.token] }
    await talk(`${access.url.replace('http', 'ws')}${access.socket}`, this.#demo.url, first)
    const shown = this.#canaries.note('archive token', drawCanary('archive'))
    await fetch(`${access.url}/servers/${server.id}/archive?token=${shown}`)
  }

  /** Secrets in the wrong place are refused, and stored only in their own place. */
  async #strayTokens(): Promise<void> {
    const [query, cookie, header] = ['query', 'cookie', 'authorization'].map((name) =>
      this.#canaries.note(`stray ${name}`, drawCanary(name)),
    )
    await this.#send('GET', `/en?token=${query}`, { headers: { cookie: `bakter_access=${cookie}` } })
    const headers = { authorization: `Bearer ${header}` }
    await this.#send('GET', `/api/user/me?token=${query}`, { headers })
  }

  async #settings(): Promise<void> {
    const { admin } = this.#demo
    const login = await this.#send('POST', '/api/auth/login', { body: admin, address: '203.0.113.8' })
    const { access_token: token } = TokenAnswer.parse(login.json())
    const headers = { authorization: `Bearer ${token}` }
    for (const { name, global, body } of SETTING_SECRETS) {
      const secret = this.#canaries.note(name, drawCanary(name.replaceAll(/\W/g, '')))
      const saved = await this.#send('POST', `/api/cms/globals/${global}`, { headers, body: body(secret) })
      expectOk(name, saved)
    }
    for (const path of ['globals/settings?depth=3', 'globals/invoicing?depth=3', 'users?depth=2&limit=100', 'roles'])
      await this.#send('GET', `/api/cms/${path}`, { headers })
  }

  async #leave(): Promise<void> {
    const { refresh_token: refresh } = await this.#signInAgain()
    const answer = await this.#send('POST', '/api/auth/refresh', { body: { refresh_token: refresh } })
    this.#hold(answer, 'POST /api/auth/refresh')
    await this.#send('POST', '/api/auth/logout', { headers: this.#headers, body: { all: true } })
  }

  #signInAgain(): Promise<TokenAnswer> {
    return this.#freshRecovery().then((code) => this.#signIn({ code }))
  }

  async #freshRecovery(): Promise<string> {
    const { password } = this.#person
    const answer = await this.#send('POST', '/api/user/2fa/recovery-codes', {
      headers: this.#headers,
      body: { password },
    })
    const { recoveryCodes } = z.object({ recoveryCodes: z.array(z.string()) }).parse(answer.json())
    for (const code of recoveryCodes)
      this.#canaries.note('new recovery code', code, 'POST /api/user/2fa/recovery-codes')
    return recoveryCodes[0] ?? ''
  }
}
