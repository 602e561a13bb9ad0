import fs from 'node:fs'
import * as z from 'zod'
import { AgentEvent } from '#contracts/agent/session.ts'
import type { Clock } from '../platform/clock.ts'
import type { Disk } from '../platform/disk.ts'
import { storable, type OutboxEvent } from './storable-event.ts'

const NEWLINE = 10
const Head = z.object({ version: z.literal(1), acknowledged: z.number().int(), last: z.number().int() })
/** After this many acknowledged events the file is written anew without them. */
const COMPACT_AFTER = 500
/** So many events may wait for a disk that is full. */
const MOST_UNWRITTEN = 10_000

/**
 * Events that the control plane has not acknowledged yet, in a file of one JSON text a line (rule A6). Numbers rise for
 * ever, also over restarts; a torn last line is an event that was never sent. On a disk that takes nothing events wait in
 * memory, so that what ends there is told and commands are answered; an agent that is killed then loses them.
 */
export class Outbox {
  readonly #folder: string
  readonly #disk: Disk
  readonly #clock: Clock
  #events: AgentEvent[] = []
  #acknowledged = 0
  #last = 0
  #sinceCompaction = 0
  /** Events that the file does not hold yet, oldest first. */
  #unwritten: AgentEvent[] = []
  #file: number

  constructor(folder: string, disk: Disk, clock: Clock) {
    this.#folder = folder
    this.#disk = disk
    this.#clock = clock
    disk.makeFolder(folder, 0o700)
    this.#load()
    this.#file = fs.openSync(this.#logFile, 'a', 0o600)
  }

  get pending(): number {
    return this.#events.length
  }

  /**
   * Numbers and stores the event; when it returns, a crash cannot lose it, unless the disk took nothing. Throws what the disk
   * throws once too many wait for it.
   */
  append(event: OutboxEvent): AgentEvent {
    const stored = { ...storable(event), seq: this.#last + 1, atMs: this.#clock.now() } as AgentEvent
    this.#write([...this.#unwritten, stored])
    this.#last = stored.seq
    this.#events.push(stored)
    return stored
  }

  after(seq: number): readonly AgentEvent[] {
    return this.#events.filter((event) => event.seq > seq)
  }

  /** Forgets every event up to `seq`. An older acknowledgement changes nothing (rule A7). */
  acknowledge(seq: number): void {
    if (seq <= this.#acknowledged) return
    // A control plane that acknowledges what was never sent speaks of another history: its number is not ours.
    this.#acknowledged = Math.min(seq, this.#last)
    const left = this.#events.findIndex((event) => event.seq > this.#acknowledged)
    // Taken from the head: after a long outage a copy of all that waits for each acknowledgement would take minutes.
    this.#sinceCompaction += this.#events.splice(0, left < 0 ? this.#events.length : left).length
    this.#unwritten = this.#unwritten.filter((event) => event.seq > this.#acknowledged)
    if (this.#sinceCompaction >= COMPACT_AFTER || this.#events.length === 0) this.#compact()
  }

  /** The control plane knows a higher number than we do: this disk was restored, so we count on from there. */
  continueAfter(seq: number): void {
    if (seq <= this.#last) return
    this.#last = seq
    this.#events = this.#events.map((event, index) => ({ ...event, seq: seq + 1 + index }))
    this.#last += this.#events.length
    this.#acknowledged = seq
    this.#unwritten = [...this.#events]
    this.#compact()
  }

  close(): void {
    fs.closeSync(this.#file)
  }

  #write(events: readonly AgentEvent[]): void {
    try {
      this.#writeWhole(events.map((event) => `${JSON.stringify(event)}\n`).join(''))
      this.#unwritten = []
    } catch (error) {
      if (events.length > MOST_UNWRITTEN) throw error
      this.#unwritten = [...events]
    }
  }

  /** Whole or not at all: on a disk that is full, part of a line would swallow the next event after a restart. */
  #writeWhole(text: string): void {
    const size = fs.fstatSync(this.#file).size
    const bytes = Buffer.from(text)
    try {
      for (let at = 0; at < bytes.length;) at += fs.writeSync(this.#file, bytes, at)
      fs.fsyncSync(this.#file)
    } catch (error) {
      fs.ftruncateSync(this.#file, size)
      throw error
    }
  }

  get #logFile(): string {
    return `${this.#folder}/events.jsonl`
  }

  get #headFile(): string {
    return `${this.#folder}/head.json`
  }

  /** Left for the next acknowledgement when the disk takes nothing: what it would leave out does no harm. */
  #compact(): void {
    const head = { version: 1, acknowledged: this.#acknowledged, last: this.#last }
    try {
      this.#disk.writeAtomically(this.#headFile, JSON.stringify(head))
      this.#disk.writeAtomically(this.#logFile, this.#events.map((event) => `${JSON.stringify(event)}\n`).join(''))
    } catch {
      return
    }
    this.#sinceCompaction = 0
    this.#unwritten = []
    fs.closeSync(this.#file)
    this.#file = fs.openSync(this.#logFile, 'a', 0o600)
  }

  #load(): void {
    const head = Head.safeParse(readJson(this.#disk.read(this.#headFile)))
    if (head.success) {
      this.#acknowledged = head.data.acknowledged
      this.#last = head.data.last
    }
    const bytes = Buffer.from(this.#disk.read(this.#logFile) ?? '')
    const whole = bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1)
    if (whole.length < bytes.length) fs.truncateSync(this.#logFile, whole.length)
    for (const line of whole.toString('utf8').split('\n')) {
      const event = AgentEvent.safeParse(readJson(line))
      if (!event.success) continue
      this.#last = Math.max(this.#last, event.data.seq)
      if (event.data.seq > this.#acknowledged) this.#events.push(event.data)
    }
  }
}

const readJson = (text: string | undefined): unknown => {
  if (text === undefined || text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
