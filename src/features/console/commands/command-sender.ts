import { PANEL_LIMITS } from '#contracts/panel/messages.ts'
import type { PanelClientMessage, PanelServerMessage } from '#contracts/panel/messages.ts'
import type { Timers } from '@/lib/realtime/socket.ts'

/** Why a command was not sent or not accepted; the texts are in the catalog. */
export const sendReasons = [
  'notLive',
  'lost',
  'noAnswer',
  'tooMany',
  'tooLong',
  'forbidden',
  'seeing',
  'notRunning',
  'notReading',
  'refused',
  'stopped',
] as const
export type SendReason = (typeof sendReasons)[number]

export type SendFailure = {
  /** The command that was not accepted. */
  readonly command: string
  /** The following commands of the same paste. */
  readonly rest: readonly string[]
  readonly reason: SendReason
}
export type SenderState = {
  /** Progress of accepted commands; null when nothing is being sent. */
  readonly sending: { readonly done: number; readonly of: number } | null
  readonly failure: SendFailure | null
}

export type CommandSender = {
  get: () => SenderState
  subscribe: (listener: () => void) => () => void
  /** Sends commands one after another, each after the node has accepted the previous one. */
  submit: (commands: readonly string[]) => void
  hear: (message: PanelServerMessage) => void
  /** The link is down: nothing is queued for the next one. */
  lost: () => void
  stop: () => void
  forget: () => void
}

type Deps = {
  send: (message: PanelClientMessage) => boolean
  timers: Timers
  newId: () => string
  /** The command is on its way: its output comes after it. */
  onSent: (command: string) => void
  onTaken: (command: string) => void
}

const answerWithinMs = 8_000
/** The node accepts ten commands at once and then one per second; the sender stays below that. */
const burst = 8
const paceMs = 1_100
const mostRetries = 5

/** Bytes of a command on the wire. */
export const commandBytes = (command: string): number => new TextEncoder().encode(command).length

const messageOf = (command: string, id: string): PanelClientMessage => ({
  event: 'send command',
  args: [command, id],
})

/** False for a command that the node would refuse because of its length, alone or with its frame. */
export const fitsLimit = (command: string): boolean =>
  commandBytes(command) <= PANEL_LIMITS.maxCommandBytes &&
  commandBytes(JSON.stringify(messageOf(command, '0'.repeat(36)))) <= PANEL_LIMITS.maxFrameBytes

const reasonOf = (code: string): SendReason => {
  if (code.startsWith('FORBIDDEN')) return 'forbidden'
  if (code === 'SEEING_AS') return 'seeing'
  if (code === 'NOT_RUNNING') return 'notRunning'
  if (code === 'NOT_READING') return 'notReading'
  if (code === 'TOO_LONG') return 'tooLong'
  return 'refused'
}

/** A command in flight: nothing else is sent before the node has responded to it. */
type Flight = { readonly command: string; readonly id: string; retries: number }

export const idleSender: SenderState = { sending: null, failure: null }

class Sender implements CommandSender {
  readonly #deps: Deps
  readonly #listeners = new Set<() => void>()
  #state = idleSender
  #queue: string[] = []
  #flight: Flight | null = null
  #timer: number | null = null
  #done = 0

  constructor(deps: Deps) {
    this.#deps = deps
  }

  get = (): SenderState => this.#state

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  submit = (commands: readonly string[]): void => {
    if (commands.length === 0) return
    // Commands typed during a paste are sent after it.
    if (this.#state.sending) {
      this.#queue.push(...commands)
      const { done, of } = this.#state.sending
      return this.#set({ sending: { done, of: of + commands.length }, failure: null })
    }
    this.#queue = [...commands]
    this.#done = 0
    this.#set({ sending: { done: 0, of: commands.length }, failure: null })
    return this.#next()
  }

  hear = (message: PanelServerMessage): void => {
    const flight = this.#flight
    if (!flight) return
    if (message.event === 'command accepted' && message.args[0] === flight.id) this.#taken(flight.command)
    if (message.event === 'daemon error') this.#fail(reasonOf(message.args[0]))
    if (message.event !== 'throttled') return
    if (message.args[0] !== 'send command' && message.args[0] !== 'global') return
    if (flight.retries >= mostRetries) return this.#fail('tooMany')
    flight.retries += 1
    this.#after(paceMs, () => this.#launch(flight))
  }

  lost = (): void => {
    if (this.#state.sending) this.#fail(this.#flight ? 'lost' : 'notLive')
  }

  stop = (): void => {
    if (this.#flight || !this.#state.sending) return
    this.#flight = { command: this.#queue.shift() ?? '', id: '', retries: 0 }
    this.#fail('stopped')
  }

  forget = (): void => this.#set({ ...this.#state, failure: null })

  #set(state: SenderState): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }

  #after(delayMs: number, run: () => void): void {
    this.#clear()
    this.#timer = this.#deps.timers.set(run, delayMs)
  }

  #clear(): void {
    if (this.#timer !== null) this.#deps.timers.clear(this.#timer)
    this.#timer = null
  }

  #next(): void {
    const command = this.#queue.shift()
    if (command === undefined) {
      this.#clear()
      return this.#set({ sending: null, failure: null })
    }
    return this.#launch({ command, id: this.#deps.newId(), retries: 0 })
  }

  #launch(flight: Flight): void {
    this.#flight = flight
    if (!fitsLimit(flight.command)) return this.#fail('tooLong')
    if (!this.#deps.send(messageOf(flight.command, flight.id))) return this.#fail('notLive')
    if (flight.retries === 0) this.#deps.onSent(flight.command)
    return this.#after(answerWithinMs, () => this.#fail('noAnswer'))
  }

  #taken(command: string): void {
    this.#flight = null
    this.#clear()
    this.#done += 1
    this.#deps.onTaken(command)
    const of = this.#state.sending?.of ?? this.#done
    this.#set({ sending: { done: this.#done, of }, failure: null })
    if (this.#done < burst || this.#queue.length === 0) return this.#next()
    return this.#after(paceMs, () => this.#next())
  }

  #fail(reason: SendReason): void {
    this.#clear()
    const rest = this.#queue
    const command = this.#flight?.command ?? rest.shift() ?? ''
    this.#queue = []
    this.#flight = null
    this.#set({ sending: null, failure: { command, rest, reason } })
  }
}

export const createCommandSender = (deps: Deps): CommandSender => new Sender(deps)
