import { CLOSE_CODES } from '#contracts/close-codes.ts'
import type { ConsoleAccess } from '#contracts/http/server.ts'
import { PanelServerMessage } from '#contracts/panel/messages.ts'
import type { PanelClientMessage } from '#contracts/panel/messages.ts'
import { protocolsWith } from '#contracts/socket-proof.ts'
import { planReconnect, withJitter } from '@/lib/realtime/reconnect.ts'
import type { CloseFacts } from '@/lib/realtime/reconnect.ts'
import { parseJson } from '@/lib/realtime/socket.ts'
import type { LinkSocket, OpenSocket, SocketHandlers, Timers } from '@/lib/realtime/socket.ts'
import { ApiFailure } from '@/lib/browser-client/failure.ts'

/** Why there is no console: the texts of the connection dialog. */
export const panelTroubles = [
  'connection',
  'maintenance',
  'invalid',
  'forbidden',
  'ended',
  'slow',
  'suspended',
  'tooMany',
  'protocol',
  'insecure',
] as const
export type PanelTrouble = (typeof panelTroubles)[number]
export type PanelLinkState =
  | { kind: 'connecting' }
  | { kind: 'live' }
  /** It will retry automatically. */
  | { kind: 'waiting'; trouble: PanelTrouble; attempt: number }
  /** The last attempt failed; only the page can restart it. */
  | { kind: 'failed' }
  /** The peer refused, and retrying would not change it. */
  | { kind: 'refused'; trouble: PanelTrouble }

export type PanelLinkDeps = {
  access: () => Promise<ConsoleAccess>
  /** The page's own address, against which an empty or relative url of a computer is resolved. */
  pageAddress: string
  open: OpenSocket
  timers: Timers
  /** A number from 0 to 1, so that the readers of a returning node do not all reconnect at once. */
  random: () => number
  /** The number of the page's last line; 0 without one. */
  lastSeq: () => number
  onMessage: (message: PanelServerMessage) => void
  onState: (state: PanelLinkState) => void
}
export type PanelLink = {
  connect: () => void
  wake: () => void
  close: () => void
  /** False if there is no live socket: nothing is queued. */
  send: (message: PanelClientMessage) => boolean
}

const broken: CloseFacts = { code: 1006, wasClean: false }
const ourCodes: Readonly<Record<number, PanelTrouble>> = {
  [CLOSE_CODES.protocol]: 'protocol',
  [CLOSE_CODES.ended]: 'ended',
  [CLOSE_CODES.forbidden]: 'forbidden',
  4404: 'invalid',
  [CLOSE_CODES.slow]: 'slow',
  [CLOSE_CODES.suspended]: 'suspended',
  [CLOSE_CODES.superseded]: 'ended',
  [CLOSE_CODES.tooManySockets]: 'tooMany',
}

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** An https page may open no insecure socket, except to its own machine: the browser would refuse it silently. */
export const isInsecure = (access: Pick<ConsoleAccess, 'url'>, page: string): boolean => {
  const own = new URL(page)
  const computer = new URL(access.url === '' ? '/' : access.url, own)
  return (
    own.protocol === 'https:' &&
    (computer.protocol === 'http:' || computer.protocol === 'ws:') &&
    !loopback.test(computer.hostname)
  )
}

/** The socket's address: the computer's url with the server's path, as ws or wss. An empty url is the page's. */
export const socketAddress = (access: Pick<ConsoleAccess, 'url' | 'socket'>, page: string): string => {
  const address = new URL(access.url === '' ? '/' : access.url, page)
  address.pathname = `${address.pathname.replace(/\/$/, '')}/${access.socket.replace(/^\//, '')}`
  address.search = ''
  address.protocol = address.protocol === 'https:' || address.protocol === 'wss:' ? 'wss:' : 'ws:'
  return address.href
}

/** The meaning of a failed token request. `final`: retrying would not change it. */
export const troubleOf = (failure: unknown): { trouble: PanelTrouble; final: boolean } => {
  if (!(failure instanceof ApiFailure)) return { trouble: 'connection', final: false }
  if (failure.status === 404 || failure.code === 'VALIDATION' || failure.code === 'BAD_REQUEST') {
    return { trouble: 'invalid', final: true }
  }
  if (failure.code === 'SERVER_SUSPENDED') return { trouble: 'suspended', final: true }
  if (failure.status === 403) return { trouble: 'forbidden', final: true }
  if (failure.status === 401) return { trouble: 'ended', final: true }
  if (failure.code === 'NODE_UNREACHABLE') return { trouble: 'maintenance', final: false }
  return { trouble: 'connection', final: false }
}

/** The per-server link (SPEC.md section P): authenticates, resumes after the last line, renews its token, backs off. */
class Link implements PanelLink {
  readonly #deps: PanelLinkDeps
  #attempts = 0
  /** Responses of an older attempt are recognized by its number. */
  #era = 0
  #isLive = false
  #isDown = true
  #socket: LinkSocket | null = null
  #timer: number | null = null

  constructor(deps: PanelLinkDeps) {
    this.#deps = deps
  }

  connect(): void {
    this.#attempts = 0
    void this.#attempt()
  }

  wake(): void {
    if (this.#isDown) this.connect()
  }

  close(): void {
    this.#drop()
    this.#isDown = false
  }

  send(message: PanelClientMessage): boolean {
    if (!this.#isLive || !this.#socket) return false
    this.#socket.send(JSON.stringify(message))
    return true
  }

  #drop(): void {
    this.#era += 1
    if (this.#timer !== null) this.#deps.timers.clear(this.#timer)
    this.#timer = null
    this.#isLive = false
    const old = this.#socket
    this.#socket = null
    old?.close()
  }

  #retryAfter(close: CloseFacts, trouble: PanelTrouble): void {
    this.#drop()
    this.#isDown = true
    const plan = planReconnect(close, this.#attempts)
    if (plan.kind === 'stop') {
      this.#deps.onState({ kind: 'refused', trouble: ourCodes[close.code] ?? trouble })
    } else if (plan.kind === 'giveUp') {
      this.#deps.onState({ kind: 'failed' })
    } else {
      this.#attempts = plan.attempt
      this.#deps.onState({ kind: 'waiting', trouble, attempt: plan.attempt })
      const delayMs = withJitter(plan.delayMs, this.#deps.random())
      this.#timer = this.#deps.timers.set(() => void this.#attempt(), delayMs)
    }
  }

  #authenticate(token: string): void {
    const lastSeq = this.#deps.lastSeq()
    const message: PanelClientMessage = { event: 'auth', args: lastSeq > 0 ? [token, lastSeq] : [token] }
    this.#socket?.send(JSON.stringify(message))
  }

  async #renew(mine: number): Promise<void> {
    try {
      const { token } = await this.#deps.access()
      if (mine === this.#era) this.#authenticate(token)
    } catch {
      // The old token is still valid for a while; the socket's end causes the next attempt.
    }
  }

  #receive(text: string): void {
    const parsed = PanelServerMessage.safeParse(parseJson(text))
    if (!parsed.success) return
    const message = parsed.data
    if (message.event === 'auth success') {
      this.#attempts = 0
      this.#isLive = true
      this.#deps.onState({ kind: 'live' })
    }
    if (message.event === 'token expiring' || message.event === 'token expired') void this.#renew(this.#era)
    this.#deps.onMessage(message)
  }

  async #attempt(): Promise<void> {
    this.#drop()
    this.#isDown = false
    const mine = this.#era
    if (this.#attempts === 0) this.#deps.onState({ kind: 'connecting' })
    try {
      const access = await this.#deps.access()
      if (mine === this.#era) this.#open(access)
    } catch (failure) {
      if (mine === this.#era) this.#noAccess(failure)
    }
  }

  #noAccess(failure: unknown): void {
    const { trouble, final } = troubleOf(failure)
    return final ? this.#refuse(trouble) : this.#retryAfter(broken, trouble)
  }

  #refuse(trouble: PanelTrouble): void {
    this.#drop()
    this.#isDown = true
    this.#deps.onState({ kind: 'refused', trouble })
  }

  #open(access: ConsoleAccess): void {
    if (isInsecure(access, this.#deps.pageAddress)) return this.#refuse('insecure')
    const mine = this.#era
    const handlers: SocketHandlers = {
      onOpen: () => {
        if (mine === this.#era) this.#authenticate(access.token)
      },
      onMessage: (text) => {
        if (mine === this.#era) this.#receive(text)
      },
      onClose: (close) => {
        if (mine === this.#era) this.#retryAfter(close, 'connection')
      },
    }
    try {
      const address = socketAddress(access, this.#deps.pageAddress)
      this.#socket = this.#deps.open(address, handlers, protocolsWith(access.token))
    } catch {
      // This page may not open the computer's url.
      this.#retryAfter(broken, 'connection')
    }
  }
}

export const createPanelLink = (deps: PanelLinkDeps): PanelLink => new Link(deps)
