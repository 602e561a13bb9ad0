import { createServer, type IncomingMessage, type Server } from 'node:http'
import { createPublicKey, generateKeyPairSync, randomBytes, verify } from 'node:crypto'
import type { AddressInfo } from 'node:net'

import { importJWK, SignJWT } from 'jose'
import { WebSocketServer, type WebSocket } from 'ws'

import {
  challengeText,
  FromAgent,
  type AgentCommand,
  type AgentEvent,
  type PlayerCount,
  type ToAgent,
} from '../../src/contracts/agent/session.ts'
import { EnrolmentRequest } from '../../src/contracts/agent/enrolment.ts'
import { PERMISSIONS, type Permission } from '../../src/contracts/panel/permissions.ts'
import { NODE_ID, SERVER_ID, SESSION_ID, USER_ID, nextId } from '../factories/server-spec.ts'

export const SITE_ORIGIN = 'http://site.test'

const FULL: readonly Permission[] = [
  'control.start',
  'control.stop',
  'control.restart',
  'console.command',
  'console.read',
]

/**
 * The control plane's side of the agent protocol for tests: it enrols, challenges and verifies, stores every event by
 * its number, and sends the test's messages. `hold` keeps it from acknowledging.
 */
export class ControlPlaneStandIn {
  readonly #http: Server
  readonly #signing = generateKeyPairSync('ed25519')
  readonly events = new Map<number, AgentEvent>()
  /** The counts of players in the order in which they were told. */
  readonly players: PlayerCount[] = []
  readonly hellos: Extract<FromAgent, { type: 'hello' }>[] = []
  enrolments = 0
  epoch = 1
  hold = false
  /** The servers that the welcome names. */
  known: Extract<ToAgent, { type: 'welcome' }>['servers'] = []
  #agentKey = ''
  #sockets = new Set<WebSocket>()
  #agent: WebSocket | undefined
  /** A busy machine may break the connection, and a command with it: each session begins with those that have no end. */
  readonly #unanswered = new Map<string, AgentCommand>()

  constructor() {
    const upgrades = new WebSocketServer({ noServer: true })
    this.#http = createServer((request, response) => {
      void this.#enrol(request).then((status) => {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ nodeId: NODE_ID, name: 'node' }))
      })
    })
    this.#http.on('upgrade', (request, stream, head) => {
      upgrades.handleUpgrade(request, stream, head, (socket) => this.#greet(socket))
    })
  }

  async open(port = 0, host = '127.0.0.1'): Promise<string> {
    await new Promise<void>((resolve) => this.#http.listen(port, host, resolve))
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.terminate()
    await new Promise((resolve) => this.#http.close(resolve))
  }

  get isConnected(): boolean {
    return this.#agent !== undefined
  }

  disconnect(): void {
    for (const socket of this.#sockets) socket.terminate()
  }

  command(command: AgentCommand): void {
    this.#unanswered.set(command.id, command)
    this.send({ type: 'command', command })
  }

  send(message: ToAgent): void {
    this.#agent?.send(JSON.stringify(message))
  }

  list(): AgentEvent[] {
    return [...this.events.values()]
  }

  finished(commandId: string) {
    return this.list().filter((event) => event.kind === 'command.finished' && event.commandId === commandId)
  }

  lastState(serverId = SERVER_ID): string | undefined {
    const states = this.list().flatMap((event) =>
      event.kind === 'server.state' && event.server.id === serverId ? [event.server.state] : [],
    )
    return states.at(-1)
  }

  get consoleKey(): { kid: string; x: string } {
    const { x } = this.#signing.publicKey.export({ format: 'jwk' })
    return { kid: 'test', x: x ?? '' }
  }

  /** A token for the files of a server, with every permission for them. */
  filesToken(): Promise<string> {
    const permissions = PERMISSIONS.filter((key) => key.startsWith('file.'))
    return this.token({ purpose: 'files', permissions }, { kid: 'test', typ: 'files+jwt' })
  }

  /** A console token as the control plane signs it; `change` alters its claims, `header` its kind. */
  async token(
    change: Record<string, unknown> = {},
    header: { readonly kid: string; readonly typ?: string } = { kid: 'test' },
  ): Promise<string> {
    const nowSeconds = Math.floor(Date.now() / 1_000)
    const claims = {
      iss: 'bakter-control-plane',
      aud: NODE_ID,
      sub: USER_ID,
      sid: SESSION_ID,
      jti: nextId(),
      iat: nowSeconds,
      exp: nowSeconds + 600,
      purpose: 'console',
      server: SERVER_ID,
      permissions: FULL,
      ...change,
    }
    const key = await importJWK(this.#signing.privateKey.export({ format: 'jwk' }), 'EdDSA')
    return new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', ...header }).sign(key)
  }

  async #enrol(request: IncomingMessage): Promise<number> {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const parsed = EnrolmentRequest.safeParse(JSON.parse(body))
    this.enrolments += 1
    if (!parsed.success || this.enrolments > 1) return 401
    this.#agentKey = parsed.data.publicKey
    return 200
  }

  #greet(socket: WebSocket): void {
    this.#sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#sockets.delete(socket)
      if (this.#agent === socket) this.#agent = undefined
    })
    const challenge = randomBytes(32).toString('base64url')
    socket.send(JSON.stringify({ type: 'challenge', challenge, protocol: 1 }))
    socket.on('message', (data) => {
      const message = FromAgent.parse(JSON.parse(String(data)))
      if (message.type === 'hello') this.#welcome(socket, message, challenge)
      if (message.type === 'beat') socket.send(JSON.stringify({ type: 'beat', nowMs: Date.now() }))
      if (message.type === 'players') this.players.push(...message.counts)
      if (message.type !== 'event') return
      this.events.set(message.event.seq, message.event)
      if (message.event.kind === 'command.finished') this.#unanswered.delete(message.event.commandId)
      if (!this.hold) socket.send(JSON.stringify({ type: 'ack', seq: message.event.seq }))
    })
  }

  #welcome(socket: WebSocket, hello: Extract<FromAgent, { type: 'hello' }>, challenge: string): void {
    this.hellos.push(hello)
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: this.#agentKey }, format: 'jwk' })
    const text = Buffer.from(challengeText(hello.nodeId, challenge))
    if (!verify(null, text, key, Buffer.from(hello.signature, 'base64url'))) {
      socket.send(JSON.stringify({ type: 'refused', code: 'BAD_SIGNATURE', message: 'The signature is wrong.' }))
      socket.close(4401)
      return
    }
    this.#agent = socket
    socket.send(
      JSON.stringify({
        type: 'welcome',
        epoch: this.epoch,
        nowMs: Date.now(),
        acknowledgedSeq: this.hold ? 0 : Math.max(0, ...this.events.keys()),
        siteOrigins: [SITE_ORIGIN],
        consoleKeys: [this.consoleKey],
        servers: this.known,
        takesPlayers: true,
      }),
    )
    for (const command of this.#unanswered.values()) this.send({ type: 'command', command })
  }
}
