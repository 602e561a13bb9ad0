import { PING_SECONDS } from '#contracts/gateway/events.ts'
import type { GatewayMessage, OwnTicketSign } from '#contracts/gateway/events.ts'
import { readMessage } from './read-message.ts'
import { planReconnect, withJitter } from './reconnect.ts'
import type { CloseFacts } from './reconnect.ts'
import { parseJson } from './socket.ts'
import type { LinkSocket, OpenSocket, Timers } from './socket.ts'

export type LinkState = 'connecting' | 'connected' | 'closed'

export type GatewayLinkDeps = {
  /**
   * Whether the session is still valid. `abort` means that it has ended and the reader is on the way to the login page.
   */
  checkSession: () => Promise<'go' | 'abort'>
  /** The socket's address with a fresh ticket. */
  address: () => Promise<string>
  open: OpenSocket
  timers: Timers
  /** 0 to 1, to spread the attempts. */
  random: () => number
  /** Another page held the link before: events in between were missed, so the first opening causes a refetch. */
  isSuccessor?: boolean
  onMessage: (message: GatewayMessage) => void
  onLogout: () => void
  onState?: (state: LinkState) => void
  log: (text: string) => void
}

export type GatewayLink = {
  state: () => LinkState
  connect: () => void
  /** The page is visible again: a link that is down reconnects at once. */
  wake: () => void
  /** Says what the page's person does with a ticket. Nothing waits for a link that is down: the page repeats it. */
  say: (sign: OwnTicketSign) => void
  close: () => void
}

// Slightly more than two missed pings: a socket that is silent for longer is dead, although it was never closed.
const silentAfterMs = (2 * PING_SECONDS + 5) * 1_000
const broken: CloseFacts = { code: 1006, wasClean: false }

/**
 * The realtime link of specification section 4 without a browser: connecting, connected, closed; back-off, ping and
 * pong, and the close codes that end it.
 */
class Link implements GatewayLink {
  readonly #deps: GatewayLinkDeps
  #state: LinkState = 'closed'
  #attempts = 0
  /** Responses of an older attempt are recognized by its number. */
  #era = 0
  #ended = false
  #hasOpened: boolean
  #socket: LinkSocket | null = null
  #retryTimer: number | null = null
  #silenceTimer: number | null = null

  constructor(deps: GatewayLinkDeps) {
    this.#deps = deps
    this.#hasOpened = deps.isSuccessor ?? false
  }

  state(): LinkState {
    return this.#state
  }

  #become(state: LinkState): void {
    if (this.#state === state) return
    this.#state = state
    this.#deps.onState?.(state)
  }

  connect(): void {
    this.#ended = false
    this.#attempts = 0
    void this.#attempt()
  }

  wake(): void {
    const isUnderWay = this.#state === 'connecting' && this.#retryTimer === null
    if (this.#ended || this.#state === 'connected' || isUnderWay) return
    this.#attempts = 0
    void this.#attempt()
  }

  say(sign: OwnTicketSign): void {
    if (this.#state === 'connected') this.#socket?.send(JSON.stringify({ event: 'ticket.sign', data: sign }))
  }

  close(): void {
    this.#ended = true
    this.#drop()
    this.#become('closed')
  }

  #clear(timer: number | null): null {
    if (timer !== null) this.#deps.timers.clear(timer)
    return null
  }

  #drop(): void {
    this.#era += 1
    this.#retryTimer = this.#clear(this.#retryTimer)
    this.#silenceTimer = this.#clear(this.#silenceTimer)
    const old = this.#socket
    this.#socket = null
    old?.close()
  }

  #afterClose(close: CloseFacts): void {
    this.#drop()
    const plan = planReconnect(close, this.#attempts)
    if (plan.kind === 'wait') {
      this.#become('connecting')
      this.#attempts = plan.attempt
      const delayMs = withJitter(plan.delayMs, this.#deps.random())
      this.#retryTimer = this.#deps.timers.set(() => void this.#attempt(), delayMs)
      return
    }
    this.#become('closed')
    this.#attempts = 0
    if (plan.kind === 'giveUp') this.#deps.log('The realtime link did not come back; the page should be refreshed.')
  }

  #watchSilence(): void {
    this.#silenceTimer = this.#clear(this.#silenceTimer)
    this.#silenceTimer = this.#deps.timers.set(() => this.#afterClose(broken), silentAfterMs)
  }

  #receive(text: string): void {
    this.#watchSilence()
    const message = readMessage(parseJson(text))
    if (!message) return
    if (message.event === 'ping') {
      this.#socket?.send(JSON.stringify({ event: 'pong' }))
      return
    }
    if (message.event === 'logout') {
      this.close()
      this.#deps.onLogout()
      return
    }
    this.#deps.onMessage(message)
  }

  #opened(): void {
    this.#become('connected')
    this.#attempts = 0
    this.#watchSilence()
    // Events were missed while the link was down: the page refetches.
    if (this.#hasOpened) this.#deps.onMessage({ event: 'resync', data: {} })
    this.#hasOpened = true
  }

  async #attempt(): Promise<void> {
    this.#drop()
    const mine = this.#era
    this.#become('connecting')
    if ((await this.#deps.checkSession()) === 'abort') {
      if (mine === this.#era) this.close()
      return
    }
    let address: string
    try {
      address = await this.#deps.address()
    } catch {
      if (mine === this.#era) this.#afterClose(broken)
      return
    }
    if (mine !== this.#era) return
    this.#socket = this.#deps.open(address, {
      onOpen: () => {
        if (mine === this.#era) this.#opened()
      },
      onMessage: (text) => {
        if (mine === this.#era) this.#receive(text)
      },
      onClose: (facts) => {
        if (mine === this.#era) this.#afterClose(facts)
      },
    })
  }
}

export const createGatewayLink = (deps: GatewayLinkDeps): GatewayLink => new Link(deps)
