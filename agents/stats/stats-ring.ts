import fs from 'node:fs'
import { STATS_STEPS, type StatsHistory, type StatsStep } from '#contracts/panel/stats-history.ts'

/** One measurement. `cpu` 100 = one core; the network is bytes per second, null if unknown. */
export interface StatsPoint {
  readonly cpu: number
  readonly memory: number
  readonly disk: number
  readonly network: { readonly received: number; readonly sent: number } | null
}

const MAGIC = 0x424b5352
const VERSION = 1
const HEAD_BYTES = 64
/** time, count, has network, disk, then minimum, mean and maximum of four values; the last field is the checksum. */
const FIELDS = 17
const RECORD_BYTES = FIELDS * 8
const VALUES = ['cpu', 'memory', 'received', 'sent'] as const
const TIME = 0
const COUNT = 1
const HAS_NETWORK = 2
const DISK = 3
const FIRST_VALUE = 4
const CHECK = 16

interface Section {
  readonly seconds: StatsStep
  readonly slots: number
  readonly at: number
}

const SECTIONS: readonly Section[] = STATS_STEPS.map(({ seconds, keptSeconds }, index) => {
  const before = STATS_STEPS.slice(0, index).reduce((sum, step) => sum + step.keptSeconds / step.seconds, 0)
  return { seconds, slots: keptSeconds / seconds, at: HEAD_BYTES + before * RECORD_BYTES }
})
/** The fixed size of one server's history on disk. */
export const RING_BYTES = HEAD_BYTES + SECTIONS.reduce((sum, section) => sum + section.slots, 0) * RECORD_BYTES

type Row = Float64Array<ArrayBuffer>

const checkOf = (row: Row): number => {
  const words = new Uint32Array(row.buffer, row.byteOffset, CHECK * 2)
  let sum = 17
  for (const word of words) sum = (Math.imul(sum, 31) + word) >>> 0
  return sum
}

const sectionOf = (step: StatsStep): Section => {
  const section = SECTIONS.find((candidate) => candidate.seconds === step)
  if (section === undefined) throw new Error(`There is no step of ${step} s.`)
  return section
}

const startOf = (section: Section, timeMs: number): number =>
  Math.floor(timeMs / 1_000 / section.seconds) * section.seconds

/** A row of one point, or an existing row with one more point. */
const added = (before: Row | undefined, time: number, point: StatsPoint): Row => {
  const row: Row = before ?? new Float64Array(FIELDS)
  const count = row[COUNT] ?? 0
  row[TIME] = time
  row[COUNT] = count + 1
  row[DISK] = point.disk
  if (point.network !== null) row[HAS_NETWORK] = 1
  const values = { cpu: point.cpu, memory: point.memory, received: 0, sent: 0, ...point.network }
  for (const [index, name] of VALUES.entries()) {
    const at = FIRST_VALUE + index * 3
    const value = values[name]
    row[at] = count === 0 ? value : Math.min(row[at] ?? 0, value)
    row[at + 1] = ((row[at + 1] ?? 0) * count + value) / (count + 1)
    row[at + 2] = count === 0 ? value : Math.max(row[at + 2] ?? 0, value)
  }
  row[CHECK] = checkOf(row)
  return row
}

/**
 * 24 hours of a server's statistics in a file of fixed size: a slot for every time step, found by the time itself, so
 * that nothing has to be restored after a restart and an outdated slot is recognized by its time. A damaged row counts
 * as not measured; a damaged file is recreated. After a restart sums continue within a step.
 */
export class StatsRing {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  /** Writes one point into all steps. Throws the disk's error. */
  add(timeMs: number, point: StatsPoint): void {
    const file = this.#open()
    try {
      for (const section of SECTIONS) {
        const time = startOf(section, timeMs)
        const at = section.at + ((time / section.seconds) % section.slots) * RECORD_BYTES
        const row = section.seconds === 1 ? undefined : readRow(file, at)
        const next = added(row?.[TIME] === time ? row : undefined, time, point)
        fs.writeSync(file, new Uint8Array(next.buffer), 0, RECORD_BYTES, at)
      }
    } finally {
      fs.closeSync(file)
    }
  }

  /** The steps between two times, ascending. An unreadable ring has none. */
  read(request: { readonly fromMs: number; readonly step: StatsStep }, nowMs: number): StatsHistory {
    const section = sectionOf(request.step)
    const oldest = startOf(section, nowMs) - (section.slots - 1) * section.seconds
    const from = Math.max(oldest, startOf(section, request.fromMs))
    const rows = this.#rows(section)
      .filter((row) => (row[TIME] ?? 0) >= from && (row[TIME] ?? 0) * 1_000 <= nowMs)
      .sort((a, b) => (a[TIME] ?? 0) - (b[TIME] ?? 0))
    const column = (field: number): number[] => rows.map((row) => Math.round((row[field] ?? 0) * 10) / 10)
    const spread = (name: (typeof VALUES)[number]): { min: number[]; avg: number[]; max: number[] } => {
      const at = FIRST_VALUE + VALUES.indexOf(name) * 3
      return { min: column(at), avg: column(at + 1), max: column(at + 2) }
    }
    const hasNetwork = rows.some((row) => row[HAS_NETWORK] === 1)
    return {
      step: request.step,
      fromMs: request.fromMs,
      times: column(TIME),
      cpu: spread('cpu'),
      memory: spread('memory'),
      disk: column(DISK),
      network: hasNetwork ? { received: spread('received'), sent: spread('sent') } : null,
    }
  }

  remove(): void {
    fs.rmSync(this.#file, { force: true })
  }

  #rows(section: Section): Row[] {
    let file: number
    try {
      file = fs.openSync(this.#file, 'r')
    } catch {
      return []
    }
    try {
      if (!isWhole(file)) return []
      const bytes = new Uint8Array(section.slots * RECORD_BYTES)
      fs.readSync(file, bytes, 0, bytes.length, section.at)
      return Array.from({ length: section.slots }, (_, index) => rowIn(bytes, index * RECORD_BYTES)).filter(
        (row) => row !== undefined,
      )
    } finally {
      fs.closeSync(file)
    }
  }

  #open(): number {
    try {
      const file = fs.openSync(this.#file, 'r+')
      if (isWhole(file)) return file
      fs.closeSync(file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
    const file = fs.openSync(this.#file, 'w+', 0o600)
    const head = Buffer.alloc(HEAD_BYTES)
    head.writeUInt32BE(MAGIC, 0)
    head.writeUInt32BE(VERSION, 4)
    head.writeUInt32BE(RECORD_BYTES, 8)
    fs.ftruncateSync(file, RING_BYTES)
    fs.writeSync(file, head, 0, HEAD_BYTES, 0)
    return file
  }
}

const isWhole = (file: number): boolean => {
  const head = Buffer.alloc(HEAD_BYTES)
  fs.readSync(file, head, 0, HEAD_BYTES, 0)
  return (
    fs.fstatSync(file).size === RING_BYTES &&
    head.readUInt32BE(0) === MAGIC &&
    head.readUInt32BE(4) === VERSION &&
    head.readUInt32BE(8) === RECORD_BYTES
  )
}

const rowIn = (bytes: Uint8Array, at: number): Row | undefined => {
  const row = new Float64Array(bytes.slice(at, at + RECORD_BYTES).buffer as ArrayBuffer)
  return (row[COUNT] ?? 0) > 0 && row[CHECK] === checkOf(row) ? row : undefined
}

const readRow = (file: number, at: number): Row | undefined => {
  const bytes = new Uint8Array(RECORD_BYTES)
  fs.readSync(file, bytes, 0, RECORD_BYTES, at)
  return rowIn(bytes, 0)
}
