/** A clock jump beyond this stops billing runs until staff confirm (clarifications, part 4). */
export const MAX_CLOCK_JUMP_MS = 5 * 60 * 1000

export type ClockReading = {
  /** The time of day in epoch milliseconds. */
  readonly wallMs: number
  /** A monotonic clock with any origin. Two readings are comparable only within one `bootId`. */
  readonly steadyMs: number
  /** Identifies a run of the monotonic clock: it changes with each start of the program. */
  readonly bootId: string
  /** An independent time of day, such as the database's; undefined without one. */
  readonly referenceMs?: number | undefined
}

export type ClockJump = {
  readonly kind: 'moved' | 'back-after-restart' | 'apart-from-reference'
  /** Positive when our clock is ahead. */
  readonly jumpMs: number
  readonly noticedAtMs: number
}

/** The state between two readings. Jumps are measured from `anchor`, `last` is the newest reading. */
export type ClockWatch = {
  readonly anchor?: ClockReading
  readonly last?: ClockReading
  /** Set while billing is stopped. */
  readonly stopped?: ClockJump
}

/**
 * Takes a reading. A jump stops the watch until `confirmClock`, even if the clock returns: somebody has to check what
 * happened in between. Measured from the anchor, so that many small steps add up to one jump.
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
  // Across a restart a clock that is ahead cannot be distinguished from a long pause; one that is behind can.
  const backMs = last ? reading.wallMs - last.wallMs : 0
  return backMs < -MAX_CLOCK_JUMP_MS ? { kind: 'back-after-restart', jumpMs: backMs, noticedAtMs } : undefined
}

/** Staff confirmed the clock: jumps are measured from this reading on. */
export function confirmClock(reading: ClockReading): ClockWatch {
  return { anchor: reading, last: reading }
}

/** Whether renewals, expiries, reminders and deletions may run. Not without any reading. */
export const mayBill = (watch: ClockWatch): boolean => watch.last !== undefined && watch.stopped === undefined
