import type { GatewayMessage, OwnTicketSign } from '#contracts/gateway/events.ts'
import { createGatewayLink } from './gateway-link.ts'
import type { GatewayLink, GatewayLinkDeps, LinkState } from './gateway-link.ts'
import { TabNote } from './tab-channel.ts'
import type { TabChannel, TabLock } from './tab-channel.ts'

export type SharedLinkDeps = Omit<GatewayLinkDeps, 'isSuccessor' | 'onState'> & {
  channel: TabChannel
  lock: TabLock
}

// A living holder responds at once; one that does not is a hanging page, and is not waited for.
export const answerWithinMs = 3_000

/**
 * One connection for all tabs of the browser: the tab with the lock owns it and forwards its events; the others follow.
 * When the owner closes, the lock passes to the next. A tab whose owner does not respond connects by itself; duplicate
 * events are harmless, because they describe states.
 */
class SharedLink implements GatewayLink {
  readonly #deps: SharedLinkDeps
  #own: GatewayLink | null = null
  #isHolder = false
  #followed = false
  #ended = false
  #heard: LinkState = 'connecting'
  #answerTimer: number | null = null
  #release: (() => void) | null = null
  /** The last state of each server that the socket told, for tabs that join later. */
  readonly #toldStates = new Map<string, GatewayMessage>()

  constructor(deps: SharedLinkDeps) {
    this.#deps = deps
  }

  state(): LinkState {
    if (this.#ended) return 'closed'
    return this.#own?.state() ?? this.#heard
  }

  connect(): void {
    this.#ended = false
    this.#deps.channel.listen((text) => this.#hear(text))
    this.#release = this.#deps.lock(() => this.#hold())
    this.#ask('hello')
  }

  wake(): void {
    if (this.#ended) return
    if (this.#own) this.#own.wake()
    else this.#ask('wake')
  }

  say(sign: OwnTicketSign): void {
    if (this.#ended) return
    if (this.#own) this.#own.say(sign)
    else this.#deps.channel.post(JSON.stringify({ note: 'sign', sign }))
  }

  close(): void {
    this.#ended = true
    this.#stopWaiting()
    // The next owner reports its own state; the others need not show that this tab closes.
    this.#isHolder = false
    this.#own?.close()
    this.#own = null
    this.#release?.()
    this.#release = null
    this.#deps.channel.close()
  }

  #stopWaiting(): void {
    if (this.#answerTimer !== null) this.#deps.timers.clear(this.#answerTimer)
    this.#answerTimer = null
  }

  #ask(note: 'hello' | 'wake'): void {
    if (this.#own || this.#ended) return
    this.#answerTimer ??= this.#deps.timers.set(() => {
      this.#answerTimer = null
      if (!this.#own && !this.#ended) this.#begin()
    }, answerWithinMs)
    this.#deps.channel.post(JSON.stringify({ note }))
  }

  /**
   * This tab has the lock and owns the connection from now on. An existing connection of its own becomes the shared
   * one.
   */
  #hold(): void {
    if (this.#ended) return
    this.#isHolder = true
    if (this.#own) this.#tellState(this.#own.state())
    else this.#begin()
  }

  #begin(): void {
    this.#stopWaiting()
    const link = createGatewayLink({
      ...this.#deps,
      isSuccessor: this.#followed,
      onMessage: (message) => {
        this.#deps.onMessage(message)
        if (message.event === 'server.state.change') this.#toldStates.set(message.data.sid, message)
        this.#tellEvent(message)
      },
      onLogout: () => {
        if (this.#isHolder) this.#deps.channel.post(JSON.stringify({ note: 'logout' }))
        this.close()
        this.#deps.onLogout()
      },
      onState: (state) => {
        if (state !== 'connected') this.#toldStates.clear()
        this.#tellState(state)
      },
    })
    this.#own = link
    link.connect()
  }

  #tellState(state: LinkState): void {
    if (this.#isHolder) this.#deps.channel.post(JSON.stringify({ note: 'state', state }))
  }

  #tellEvent(message: GatewayMessage): void {
    if (this.#isHolder) this.#deps.channel.post(JSON.stringify({ note: 'event', message }))
  }

  #hear(text: string): void {
    const note = TabNote.safeParse(text)
    if (!note.success || this.#ended) return
    if (this.#isHolder) this.#answer(note.data)
    else this.#follow(note.data)
  }

  #answer(note: TabNote): void {
    if (note.note === 'sign') this.#own?.say(note.sign)
    if (note.note === 'wake') this.#own?.wake()
    if (note.note === 'wake' || note.note === 'hello') this.#tellState(this.state())
    // The new tab read its servers before it could hear of their states.
    if (note.note === 'hello') for (const message of this.#toldStates.values()) this.#tellEvent(message)
  }

  #follow(note: TabNote): void {
    if (note.note === 'logout') {
      this.close()
      this.#deps.onLogout()
      return
    }
    if (note.note === 'state') {
      this.#stopWaiting()
      this.#followed = true
      this.#heard = note.state
      return
    }
    if (note.note === 'event' && !this.#own) this.#deps.onMessage(note.message)
  }
}

export const createSharedLink = (deps: SharedLinkDeps): GatewayLink => new SharedLink(deps)
