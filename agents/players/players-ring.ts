import fs from 'node:fs'
import type { PlayersCount, PlayersHistory } from '#contracts/panel/players.ts'

const MINUTE_SECONDS = 60
const SLOTS = 1_440
const WORDS = 3
const SLOT_BYTES = WORDS * 4
/** The fixed size of one server's history on disk. */
export const PLAYERS_RING_BYTES = SLOTS * SLOT_BYTES

/**
 * A server's players of the last 24 hours: a slot of time, count and maximum for every minute, found by the time itself,
 * as in the ring of statistics. A file of another size is begun again.
 */
export class PlayersRing {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  /** Throws the disk's error. */
  add(timeMs: number, { online, max }: Pick<PlayersCount, 'online' | 'max'>): void {
    const minute = Math.floor(timeMs / 1_000 / MINUTE_SECONDS)
    const file = fs.openSync(this.#file, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600)
    try {
      if (fs.fstatSync(file).size !== PLAYERS_RING_BYTES) {
        fs.ftruncateSync(file, 0)
        fs.ftruncateSync(file, PLAYERS_RING_BYTES)
      }
      const slot = Uint32Array.of(minute * MINUTE_SECONDS, online, max)
      fs.writeSync(file, new Uint8Array(slot.buffer), 0, SLOT_BYTES, (minute % SLOTS) * SLOT_BYTES)
    } finally {
      fs.closeSync(file)
    }
  }

  /** The minutes from a time on, ascending. An unreadable ring has none. */
  read(fromMs: number, nowMs: number): PlayersHistory {
    const oldest = Math.floor(nowMs / 1_000) - SLOTS * MINUTE_SECONDS
    const from = Math.max(oldest + 1, Math.floor(fromMs / 1_000 / MINUTE_SECONDS) * MINUTE_SECONDS)
    const rows = this.#slots().filter(([time]) => time >= from && time * 1_000 <= nowMs)
    rows.sort(([a], [b]) => a - b)
    return {
      times: rows.map(([time]) => time),
      online: rows.map(([, online]) => online),
      max: rows.map(([, , max]) => max),
    }
  }

  #slots(): (readonly [time: number, online: number, max: number])[] {
    let bytes: Buffer
    try {
      bytes = fs.readFileSync(this.#file)
    } catch {
      return []
    }
    if (bytes.length !== PLAYERS_RING_BYTES) return []
    const words = new Uint32Array(new Uint8Array(bytes).buffer)
    return Array.from({ length: SLOTS }, (_, slot) => {
      const [time = 0, online = 0, max = 0] = words.subarray(slot * WORDS)
      return [time, online, max] as const
    })
  }
}
