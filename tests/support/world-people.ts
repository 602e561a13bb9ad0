import { randomBytes } from 'node:crypto'
import { WebSocket } from 'ws'
import * as z from 'zod'

import { PanelClient } from './panel-client.ts'
import { codeAt, nextCode } from './totp-code.ts'
import type { World, WorldNode } from './two-of-everything.ts'

type Program = { readonly url: string }
type Sent = { method?: string; token?: string; key?: string; body?: unknown }

const PASSWORD = 'of somebody who lives here'
let asked = 0

/** Sends a request to a site from a unique address. */
export const askFrom = async (
  world: World,
  at: Program,
  route: string,
  { token, key, body, method = body === undefined ? 'GET' : 'POST' }: Sent = {},
): Promise<{ status: number; body: unknown }> => {
  asked += 1
  const answer = await fetch(`${at.url}${route}`, {
    method,
    signal: AbortSignal.timeout(60_000),
    headers: {
      origin: world.url,
      'x-forwarded-for': `10.${Math.floor(asked / 250) % 250}.${asked % 250}.9`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : text }
}

const Tokens = z.object({ access_token: z.string() })

export class WorldPerson {
  readonly username = `lives-here-${randomBytes(4).toString('hex')}`
  readonly #world: World
  id = ''
  token = ''
  #secret = ''

  constructor(world: World) {
    this.#world = world
  }

  ask(at: Program, route: string, sent: Omit<Sent, 'token'> = {}) {
    return askFrom(this.#world, at, route, { ...sent, token: this.token })
  }

  async arrive(at: Program): Promise<this> {
    const email = `${this.username}@example.com`
    const person = { username: this.username, email, password: PASSWORD, passwordConfirm: PASSWORD, acceptTerms: true }
    const { status } = await askFrom(this.#world, at, '/api/auth/register', { body: person })
    if (status !== 201) throw new Error(`The registration was answered with ${status}.`)
    const [row] = await this.#world.owner.query<{ id: string }>('select id from public.users where username = $1', [
      this.username,
    ])
    this.id = row?.id ?? ''
    await this.signIn(at)
    return this
  }

  /**
   * Signs in, with a code of the app if there is one: the next one, since the current one was used when it was enabled.
   */
  async signIn(at: Program): Promise<number> {
    const code = this.#secret === '' ? {} : { code: await nextCode(this.#secret) }
    const body = { username: this.username, password: PASSWORD, ...code }
    const answer = await askFrom(this.#world, at, '/api/auth/login', { body })
    if (answer.status === 200) this.token = Tokens.parse(answer.body).access_token
    return answer.status
  }

  async turnAppOn(at: Program): Promise<void> {
    const setup = await this.ask(at, '/api/user/2fa/setup', { body: { password: PASSWORD } })
    this.#secret = z.object({ secret: z.string() }).parse(setup.body).secret
    const code = await codeAt(this.#secret, Date.now())
    const { status } = await this.ask(at, '/api/user/2fa/enable', { body: { code } })
    if (status !== 200) throw new Error(`The app was answered with ${status}.`)
  }

  /** A socket at a site's gateway, by a ticket of another site. Resolves once it is open; `code` is what closed it. */
  async browse(at: Program, ticketFrom: Program): Promise<{ code: number | undefined; close(): void }> {
    const { status, body } = await this.ask(ticketFrom, '/api/auth/gateway-ticket')
    if (status !== 200) throw new Error(`The ticket was answered with ${status}.`)
    const { ticket } = z.object({ ticket: z.string() }).parse(body)
    const url = `${at.url.replace('http', 'ws')}/api/ws/gateway?token=${ticket}`
    const socket = new WebSocket(url, { origin: this.#world.url })
    const browser = { code: undefined as number | undefined, close: () => socket.terminate() }
    socket.on('error', () => {})
    socket.on('close', (code) => (browser.code = code))
    // A socket that does not answer is closed.
    socket.on('message', (bytes: Buffer) => {
      if (bytes.toString().includes('"ping"')) socket.send(JSON.stringify({ event: 'pong' }))
    })
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve())
      socket.once('close', (code) => reject(new Error(`The gateway closed with ${code}.`)))
    })
    return browser
  }

  /** A console at a node of a server that is shared with this person. */
  async watch(at: Program, node: WorldNode): Promise<PanelClient> {
    await this.#world.owner.query(
      `insert into control.server_users (server_id, user_id, permissions, created_at) values ($1, $2, '{console.read}', now())
       on conflict do nothing`,
      [node.serverId, this.id],
    )
    const { body } = await this.ask(at, `/api/server/${node.serverId}/ws`)
    const client = new PanelClient(node.agent.port, { serverId: node.serverId, origin: this.#world.url })
    await client.authenticate(z.object({ token: z.string() }).parse(body).token)
    return client
  }
}
