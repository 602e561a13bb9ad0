import {
  AGENT_CAPABILITIES,
  AGENT_HANDSHAKE_MS,
  AGENT_HEARTBEAT_MS,
  AGENT_PROTOCOL_VERSION,
  MAX_PLAYER_COUNTS,
  ToAgent,
  type AgentCommand,
  type ConsoleTail,
  type FromAgent,
  type ObservedServer,
  type PlayerCount,
} from '#contracts/agent/session.ts'
import { CLOSE_CODES } from '#contracts/close-codes.ts'
import type { Clock } from '#platform/clock.ts'
import type { RandomSource } from '#platform/ids.ts'
import type { Log } from '#platform/logger.ts'
import type { Timers } from '../platform/timers.ts'
import type { NodeIdentity } from './identity.ts'
import type { Outbox } from './outbox.ts'
import { reconnectDelayMs } from '../platform/back-off.ts'
import type { OutboxEvent } from './storable-event.ts'
import type { Connect, OutgoingListener, OutgoingSocket } from './websocket.ts'

export interface ConsoleKey {
  readonly kid: string
  readonly x: string
}

export interface ConnectionDeps {
  readonly url: string
  readonly connect: Connect
  readonly clock: Clock
  readonly timers: Timers
  readonly random: RandomSource
  readonly log: Log
  readonly identity: NodeIdentity
  readonly outbox: Outbox
  readonly agentVersion: string
  readonly runtime: 'docker' | 'process' | 'fake'
  resources(): { memoryMiB: number; storageMiB: number; cores: number }
  observed(): ObservedServer[]
  /** Called once per session, before its first command. */
  onWelcome(known: {
    servers: Extract<ToAgent, { type: 'welcome' }>['servers']
    fenced: readonly { id: string; generation: number }[]
  }): void
  onCommand(command: AgentCommand): void
  onKeys(keys: { consoleKeys: readonly ConsoleKey[]; siteOrigins: readonly string[] }): void
  onRevoke(revocation: Extract<ToAgent, { type: 'revoke' }>): void
  onLogin(answer: Extract<ToAgent, { type: 'login' | 'logins' }>): void
  /** The last lines of a server's console; null where it has none here. */
  tailOf(serverId: string): ConsoleTail | null
  /** The connection is gone: no question will be answered. */
  onLost(): void
}

type Phase =
  | { readonly is: 'waiting' }
  | { readonly is: 'opening'; readonly socket: OutgoingSocket }
  | { readonly is: 'greeting'; readonly socket: OutgoingSocket }
  | { readonly is: 'ready'; readonly socket: OutgoingSocket }
  | { readonly is: 'closed' }

/** A permanent refusal is retried rarely: staff may remove its cause. */
const AFTER_REFUSAL_MS = 30_000
const CLOCK_WARNING_MS = 5_000
const MISSED_BEATS = 2

/**
 * Maintains one connection to the control plane: connects, answers the challenge, sends the full state and all
 * unacknowledged events, and reconnects with growing delays. Servers never notice whether it is up (rules A1, A6-A9,
 * A12, A14).
 */
export class ControlPlaneConnection {
  readonly #deps: ConnectionDeps
  #phase: Phase = { is: 'waiting' }
  #attempt = 0
  #refused = false
  #isClockOff = false
  #answersLogins = false
  #takesPlayers = false
  /** Heartbeats since the last message: counted, not timed, so that setting the clock changes nothing. */
  #silentBeats = 0
  #cancelRetry: () => void = () => {}
  #cancelBeat: () => void = () => {}
  #cancelHandshake: () => void = () => {}

  constructor(deps: ConnectionDeps) {
    this.#deps = deps
  }

  get isReady(): boolean {
    return this.#phase.is === 'ready'
  }

  open(): void {
    if (this.#phase.is !== 'waiting') return
    this.#silentBeats = 0
    const listener: OutgoingListener = {
      opened: () => this.#greet(),
      received: (text) => this.#receive(text),
      closed: (code, reason) => this.#lost(code, reason),
    }
    const proof = this.#deps.identity.handshakeProof(this.#deps.clock.now())
    const headers = proof === undefined ? {} : { authorization: `Bearer ${proof}` }
    const socket = this.#deps.connect(new URL('/api/ws/agent', this.#deps.url).href, listener, headers)
    this.#phase = { is: 'opening', socket }
    this.#cancelBeat = this.#deps.timers.every(AGENT_HEARTBEAT_MS, () => this.#beat())
    this.#cancelHandshake = this.#deps.timers.after(AGENT_HANDSHAKE_MS, () => {
      if (this.#phase.is === 'opening' || this.#phase.is === 'greeting') socket.drop()
    })
  }

  /** Stores the event and sends it if the connection is up. */
  emit(event: OutboxEvent): void {
    const { outbox } = this.#deps
    const stored = outbox.append(event)
    if (this.#phase.is !== 'ready') return
    outbox.sent(stored.seq)
    this.#send({ type: 'event', event: stored })
  }

  /** False if nobody will answer: there is no connection, or one to a release that does not know the question. */
  ask(question: Extract<FromAgent, { type: 'login' | 'logins' }>): boolean {
    if (this.#phase.is !== 'ready' || !this.#answersLogins) return false
    this.#send(question)
    return true
  }

  /** Tells how many people play. Nothing is stored: the next counts replace those that nobody takes. */
  tellPlayers(counts: readonly PlayerCount[]): void {
    if (this.#phase.is !== 'ready' || !this.#takesPlayers) return
    for (let from = 0; from < counts.length; from += MAX_PLAYER_COUNTS)
      this.#send({ type: 'players', counts: counts.slice(from, from + MAX_PLAYER_COUNTS) })
  }

  close(): void {
    this.#cancelRetry()
    this.#cancelBeat()
    this.#cancelHandshake()
    const before = this.#phase
    this.#phase = { is: 'closed' }
    if ('socket' in before) before.socket.close(1001, 'the agent stops')
  }

  #greet(): void {
    if (this.#phase.is === 'opening') this.#phase = { is: 'greeting', socket: this.#phase.socket }
  }

  #send(message: FromAgent): void {
    if ('socket' in this.#phase) this.#phase.socket.send(JSON.stringify(message))
  }

  #receive(text: string): void {
    this.#silentBeats = 0
    let raw: unknown
    try {
      raw = JSON.parse(text)
    } catch {
      raw = undefined
    }
    const parsed = ToAgent.safeParse(raw)
    if (!parsed.success) {
      const type = typeof raw === 'object' && raw !== null && 'type' in raw ? String(raw.type) : 'none'
      this.#deps.log.error({ messageType: type, problem: parsed.error.issues[0]?.message }, 'message not understood')
      return
    }
    try {
      this.#handle(parsed.data)
    } catch (error) {
      // Its work is incomplete: the next session repeats it as a whole. The servers must not end with it.
      this.#deps.log.error({ err: error, messageType: parsed.data.type }, 'a message could not be handled')
      if ('socket' in this.#phase) this.#phase.socket.drop()
    }
  }

  #handle(message: ToAgent): void {
    if (message.type === 'challenge') return this.#hello(message)
    if (message.type === 'welcome') return this.#welcome(message)
    if (message.type === 'refused') return this.#refuse(message)
    // Nothing is accepted before the welcome.
    if (this.#phase.is !== 'ready') return undefined
    if (message.type === 'command') this.#deps.onCommand(message.command)
    if (message.type === 'ack') this.#deps.outbox.acknowledge(message.seq)
    if (message.type === 'revoke') this.#deps.onRevoke(message)
    if (message.type === 'keys') this.#deps.onKeys(message)
    if (message.type === 'login' || message.type === 'logins') this.#deps.onLogin(message)
    if (message.type === 'tail') this.#send({ type: 'tail', id: message.id, tail: this.#deps.tailOf(message.serverId) })
    // The clock may be set during the session; at its beginning the control plane compares the clocks itself.
    if (message.type === 'beat' && this.#compareClocks(message.nowMs) === 'now-off')
      this.emit({ kind: 'node.alarm', alarm: 'clock-differs', detail: `${this.#deps.clock.now() - message.nowMs} ms` })
    return undefined
  }

  #hello(message: Extract<ToAgent, { type: 'challenge' }>): void {
    const { identity, clock, log } = this.#deps
    const { nodeId } = identity
    if (this.#phase.is === 'ready' || nodeId === undefined) return
    if (message.protocol !== AGENT_PROTOCOL_VERSION) {
      log.error({ theirs: message.protocol, ours: AGENT_PROTOCOL_VERSION }, 'control plane of another version')
    }
    this.#send({
      type: 'hello',
      protocol: AGENT_PROTOCOL_VERSION,
      nodeId,
      signature: identity.signChallenge(nodeId, message.challenge),
      agentVersion: this.#deps.agentVersion,
      capabilities: [...AGENT_CAPABILITIES],
      runtime: this.#deps.runtime,
      epoch: identity.epoch,
      nowMs: clock.now(),
      resources: this.#deps.resources(),
      servers: this.#deps.observed(),
    })
  }

  #welcome(message: Extract<ToAgent, { type: 'welcome' }>): void {
    const { identity, outbox, log } = this.#deps
    if (this.#phase.is !== 'greeting') return
    const { socket } = this.#phase
    if (message.epoch < identity.epoch) {
      log.error({ theirs: message.epoch, ours: identity.epoch }, 'control plane with an older epoch refused')
      this.#refused = true
      socket.close(CLOSE_CODES.protocol, 'older epoch')
      return
    }
    identity.raiseEpoch(message.epoch)
    this.#isClockOff = false
    this.#answersLogins = message.answersLogins ?? false
    this.#takesPlayers = message.takesPlayers ?? false
    this.#compareClocks(message.nowMs)
    this.#phase = { is: 'ready', socket }
    this.#attempt = 0
    this.#refused = false
    // Waiting events first: events caused by the welcome itself get higher numbers than all of them.
    for (const event of outbox.resume(message.acknowledgedSeq)) this.#send({ type: 'event', event })
    // Completes the backlog (rule A24): until then the control plane acts on no desired power state.
    this.#sayBeat()
    this.#deps.onKeys(message)
    this.#deps.onWelcome({ servers: message.servers, fenced: message.fenced ?? [] })
    log.info({ epoch: message.epoch, servers: message.servers.length }, 'connected to the control plane')
  }

  #compareClocks(theirsMs: number): 'now-off' | undefined {
    const { clock, log } = this.#deps
    const offsetMs = clock.now() - theirsMs
    const wasOff = this.#isClockOff
    this.#isClockOff = Math.abs(offsetMs) > CLOCK_WARNING_MS
    if (!this.#isClockOff || wasOff) return undefined
    log.warn({ offsetMs }, 'the clocks of node and control plane differ')
    return 'now-off'
  }

  #refuse(message: Extract<ToAgent, { type: 'refused' }>): void {
    this.#refused = true
    this.#deps.log.error({ code: message.code }, `refused by the control plane: ${message.message}`)
  }

  #beat(): void {
    if (!('socket' in this.#phase)) return
    this.#silentBeats += 1
    if (this.#silentBeats > MISSED_BEATS) {
      this.#phase.socket.drop()
      return
    }
    if (this.#phase.is === 'ready') this.#sayBeat()
  }

  #sayBeat(): void {
    this.#send({ type: 'beat', nowMs: this.#deps.clock.now() })
  }

  #lost(code: number, reason: string): void {
    this.#cancelBeat()
    this.#cancelHandshake()
    this.#deps.onLost()
    if (this.#phase.is === 'closed') return
    this.#phase = { is: 'waiting' }
    const delayMs = this.#refused ? AFTER_REFUSAL_MS : reconnectDelayMs(this.#attempt, this.#deps.random)
    if (this.#attempt === 0) this.#deps.log.warn({ code, reason, delayMs }, 'connection to the control plane lost')
    this.#attempt += 1
    this.#cancelRetry = this.#deps.timers.after(delayMs, () => this.open())
  }
}
