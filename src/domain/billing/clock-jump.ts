/** A clock that moved by more than this stops billing runs until staff confirm (clarifications, part 4). */
export const MAX_CLOCK_JUMP_MS = 5 * 60 * 1000

export type ClockReading = {
  /** The time of day, milliseconds since 1970. */
  readonly wallMs: number
  /** A clock that only counts on, of whatever beginning. Two readings compare only within one `bootId`. */
  readonly steadyMs: number
  /** Names the run of the steady clock: another after each start of the program. */
  readonly bootId: string
  /** The time of day of somebody else, such as the database; undefined where nobody was asked. */
  readonly referenceMs?: number | undefined
}

export type ClockJump = {
  readonly kind: 'moved' | 'back-after-restart' | 'apart-from-reference'
  /** Positive when our clock is ahead of where it should be. */
  readonly jumpMs: number
  readonly noticedAtMs: number
}

/** What is remembered between two readings. `anchor` is what jumps are measured from, `last` the newest reading. */
export type ClockWatch = {
  readonly anchor?: ClockReading
  readonly last?: ClockReading
  /** Set while billing runs stand still. */
  readonly stopped?: ClockJump
}

/**
 * Takes a reading. A jump stops the watch, and it stays stopped until `confirmClock`, also when the clock goes back to where it was:
 * what happened in between somebody has to look at. Measured from the anchor, so many small steps add up to one jump.
 */
export function observeClock(watch: ClockWatch, reading: ClockReading): ClockWatch {
  const isSameRun = watch.anchor?.bootId === reading.bootId
  const next: ClockWatch = { ...watch, anchor: (isSameRun ? watch.anchor : undefined) ?? reading, last: reading }
  if (watch.stopped) return next
  const jump = findJump(watch, reading)
  return jump ? { ...next, stopped: jump } : next
}

function findJump({ anchor, last }: ClockWatch, reading: ClockReading): ClockJump | undefined {
  const noticedAtMs = reading.wallMs
  const apartMs = reading.referenceMs === undefined ? 0 : reading.wallMs - reading.referenceMs
  if (Math.abs(apartMs) > MAX_CLOCK_JUMP_MS) return { kind: 'apart-from-reference', jumpMs: apartMs, noticedAtMs }
  if (anchor && anchor.bootId === reading.bootId) {
    const movedMs = reading.wallMs - anchor.wallMs - (reading.steadyMs - anchor.steadyMs)
    return Math.abs(movedMs) > MAX_CLOCK_JUMP_MS ? { kind: 'moved', jumpMs: movedMs, noticedAtMs } : undefined
  }
  // Over a restart a clock that is ahead cannot be told from a long pause; one that is behind can.
  const backMs = last ? reading.wallMs - last.wallMs : 0
  return backMs < -MAX_CLOCK_JUMP_MS ? { kind: 'back-after-restart', jumpMs: backMs, noticedAtMs } : undefined
}

/** Staff looked at the clock and say it is right now: jumps are measured from this reading on. */
export function confirmClock(reading: ClockReading): ClockWatch {
  return { anchor: reading, last: reading }
}

/** Whether renewals, expiries, reminders and deletions may run. A watch without any reading may not. */
export const mayBill = (watch: ClockWatch): boolean => watch.last !== undefined && watch.stopped === undefined
