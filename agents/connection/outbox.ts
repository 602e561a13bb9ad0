import fs from 'node:fs'
import * as z from 'zod'
import { AgentEvent } from '#contracts/agent/session.ts'
import type { Clock } from '#platform/clock.ts'
import type { Disk } from '../platform/disk.ts'
import type { Log } from '#platform/logger.ts'
import { eventsToDrop, OUTBOX_LIMITS, type OutboxLimits, type Waiting } from './outbox-bound.ts'
import { storable, type OutboxEvent } from './storable-event.ts'

const NEWLINE = 10
const Head = z.object({ version: z.literal(1), acknowledged: z.number().int(), last: z.number().int() })
/** After this many acknowledged events the file is rewritten without them. */
const COMPACT_AFTER = 500
/** Delay before a refused rewrite of the file is retried. */
const AGAIN_MS = 5_000

export interface OutboxDeps {
  readonly disk: Disk
  readonly clock: Clock
  readonly log: Log
  readonly limits?: OutboxLimits
}

const lineOf = (event: AgentEvent): string => `${JSON.stringify(event)}\n`
const weighed = (event: AgentEvent): Waiting => ({ event, bytes: Buffer.byteLength(lineOf(event)) })

/**
 * Events that the control plane has not acknowledged yet, in a file of one JSON text per line (rule A6). Numbers always
 * rise, also across restarts; a torn last line is an event that was never sent. Events that the disk refuses wait in
 * memory. During a long outage the outbox keeps to its limits: the numbers of dropped events stay unused, so that they
 * can be counted exactly (rule A22).
 */
export class Outbox {
  readonly #folder: string
  readonly #deps: OutboxDeps
  readonly #limits: OutboxLimits
  #waiting: Waiting[] = []
  #bytes = 0
  #acknowledged = 0
  #last = 0
  /** Numbers up to this one may have reached the control plane. */
  #sentLast = 0
  /** How many of the newest events are missing in the file. */
  #unwritten = 0
  /** The file has to be rewritten. */
  #isStale = false
  #failedAtMs: number | undefined
  #sinceCompaction = 0
  #file: number

  constructor(folder: string, deps: OutboxDeps) {
    this.#folder = folder
    this.#deps = deps
    this.#limits = deps.limits ?? OUTBOX_LIMITS
    deps.disk.makeFolder(folder, 0o700)
    this.#load()
    this.#sentLast = this.#last
    this.#file = fs.openSync(this.#logFile, 'a', 0o600)
    // The file also contains events acknowledged since its last rewrite.
    this.#keepToLimits()
    this.flush()
  }

  get pending(): number {
    return this.#waiting.length
  }

  /** Numbers without a waiting event: dropped events that the control plane does not know about yet. */
  get dropped(): number {
    return this.#last - this.#acknowledged - this.#waiting.length
  }

  /** Numbers and stores the event; when it returns, a crash cannot lose it unless the disk refuses. */
  append(event: OutboxEvent): AgentEvent {
    const stored = { ...storable(event), seq: this.#last + 1, atMs: this.#deps.clock.now() } as AgentEvent
    this.#last = stored.seq
    this.#add(stored)
    this.#unwritten += 1
    this.#keepToLimits()
    this.flush()
    return stored
  }

  /** Writes events that the disk refused before. Called periodically. */
  flush(): void {
    if (this.#isStale) {
      this.#compact()
      return
    }
    if (this.#unwritten === 0) return
    try {
      this.#write(
        this.#waiting
          .slice(-this.#unwritten)
          .map(({ event }) => lineOf(event))
          .join(''),
      )
      this.#unwritten = 0
      this.#failedAtMs = undefined
    } catch (error) {
      this.#failed(error)
    }
  }

  after(seq: number): readonly AgentEvent[] {
    return this.#waiting.filter(({ event }) => event.seq > seq).map(({ event }) => event)
  }

  /** The event has been sent, so its number cannot be reused. */
  sent(seq: number): void {
    this.#sentLast = Math.max(this.#sentLast, seq)
  }

  /** Removes every event up to `seq`. An older acknowledgement changes nothing (rule A7). */
  acknowledge(seq: number): void {
    if (seq <= this.#acknowledged) return
    // A control plane that acknowledges unsent events has another history: its number is ignored.
    this.#acknowledged = Math.min(seq, this.#last)
    const left = this.#waiting.findIndex(({ event }) => event.seq > this.#acknowledged)
    // Removed from the head: after a long outage copying all waiting events for each acknowledgement would take
    // minutes.
    const removed = this.#waiting.splice(0, left < 0 ? this.#waiting.length : left)
    for (const { bytes } of removed) this.#bytes -= bytes
    this.#unwritten = Math.min(this.#unwritten, this.#waiting.length)
    this.#sinceCompaction += removed.length
    if (this.#sinceCompaction < COMPACT_AFTER && this.#waiting.length > 0) return
    this.#isStale = true
    this.flush()
  }

  /**
   * A session begins in which the control plane knows events up to `acknowledgedSeq`: returns those to send. It may
   * know a higher number than we do, if this disk was restored: then numbering continues from there. Dropped events are
   * reported first in one event, and the others are renumbered without gaps, since messages of an older session can no
   * longer be stored.
   */
  resume(acknowledgedSeq: number): readonly AgentEvent[] {
    this.acknowledge(Math.min(acknowledgedSeq, this.#sentLast))
    const { dropped } = this
    const base = Math.max(acknowledgedSeq, this.#acknowledged)
    if (dropped > 0 || base > this.#acknowledged) this.#renumber(base, dropped)
    this.#sentLast = this.#last
    return this.after(this.#acknowledged)
  }

  close(): void {
    this.flush()
    fs.closeSync(this.#file)
  }

  #add(event: AgentEvent): void {
    const entry = weighed(event)
    this.#waiting.push(entry)
    this.#bytes += entry.bytes
  }

  #keepToLimits(): void {
    if (this.#waiting.length <= this.#limits.events && this.#bytes <= this.#limits.bytes) return
    const going = eventsToDrop(this.#waiting, this.#limits)
    if (going.size === 0) return
    this.#deps.log.error({ events: going.size }, 'too many events wait for the control plane: some had to go')
    this.#replace(this.#waiting.filter(({ event }) => !going.has(event.seq)).map(({ event }) => event))
  }

  /** Replaces the waiting events. The file is outdated then, and is rewritten as a whole. */
  #replace(events: readonly AgentEvent[]): void {
    this.#waiting = []
    this.#bytes = 0
    for (const event of events) this.#add(event)
    this.#unwritten = 0
    this.#isStale = true
    this.#failedAtMs = undefined
  }

  #renumber(base: number, dropped: number): void {
    const before = { events: this.after(0), last: this.#last, acknowledged: this.#acknowledged }
    const told = dropped === 0 ? [] : [this.#droppedNotice(dropped)]
    const events = [...told, ...before.events].map((event, index) => ({ ...event, seq: base + 1 + index }))
    this.#acknowledged = base
    this.#last = base + events.length
    this.#replace(events)
    this.#compact()
    // Without the file a crash would bring the old numbers back after the new ones were stored: gaps are better than
    // that.
    if (!this.#isStale || base > before.acknowledged) return
    this.#acknowledged = before.acknowledged
    this.#last = before.last
    this.#replace(before.events)
  }

  #droppedNotice(count: number): AgentEvent {
    const detail = `${count} events were not kept while the control plane was away: activities, alarms and states that later ones replace.`
    return { kind: 'node.alarm', alarm: 'events-dropped', detail, count, seq: 0, atMs: this.#deps.clock.now() }
  }

  /** Atomic: on a full disk, a partial line would swallow the next event after a restart. */
  #write(line: string): void {
    const size = fs.fstatSync(this.#file).size
    const bytes = Buffer.from(line)
    try {
      for (let at = 0; at < bytes.length;) at += fs.writeSync(this.#file, bytes, at)
      fs.fsyncSync(this.#file)
    } catch (error) {
      this.#cutTorn(size)
      throw error
    }
  }

  #cutTorn(size: number): void {
    try {
      fs.ftruncateSync(this.#file, size)
    } catch {
      this.#isStale = true
    }
  }

  #failed(error: unknown): void {
    if (this.#failedAtMs === undefined)
      this.#deps.log.error({ err: error }, 'events are kept in memory until the disk takes them')
    this.#failedAtMs = this.#deps.clock.now()
  }

  get #logFile(): string {
    return `${this.#folder}/events.jsonl`
  }

  get #headFile(): string {
    return `${this.#folder}/head.json`
  }

  #compact(): void {
    const { disk, clock } = this.#deps
    if (this.#failedAtMs !== undefined && Math.abs(clock.now() - this.#failedAtMs) < AGAIN_MS) return
    const head = { version: 1, acknowledged: this.#acknowledged, last: this.#last }
    try {
      disk.writeAtomically(this.#headFile, JSON.stringify(head))
      disk.writeAtomically(this.#logFile, this.#waiting.map(({ event }) => lineOf(event)).join(''))
    } catch (error) {
      this.#failed(error)
      return
    }
    fs.closeSync(this.#file)
    this.#file = fs.openSync(this.#logFile, 'a', 0o600)
    this.#sinceCompaction = 0
    this.#unwritten = 0
    this.#isStale = false
    this.#failedAtMs = undefined
  }

  #load(): void {
    const { disk } = this.#deps
    const head = Head.safeParse(readJson(disk.read(this.#headFile)))
    if (head.success) {
      this.#acknowledged = head.data.acknowledged
      this.#last = head.data.last
    }
    const bytes = Buffer.from(disk.read(this.#logFile) ?? '')
    const whole = bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1)
    if (whole.length < bytes.length) fs.truncateSync(this.#logFile, whole.length)
    for (const line of whole.toString('utf8').split('\n')) {
      const event = AgentEvent.safeParse(readJson(line))
      if (!event.success) continue
      this.#last = Math.max(this.#last, event.data.seq)
      if (event.data.seq > this.#acknowledged) this.#add(event.data)
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
