import { DAY_MS } from './period.ts'

/** An expired server is kept for 72 h and then deleted (specification section 9; clarifications, part 4). */
export const KEPT_AFTER_EXPIRY_MS = 3 * DAY_MS
/** A test server runs for one day. */
export const TEST_SERVER_MS = DAY_MS
/** Days before the expiry on which the customer is reminded. */
export const REMINDER_DAYS = [7, 3, 1] as const
export type ReminderDays = (typeof REMINDER_DAYS)[number]

/** `active` until the expiry, `expired` for 72 h from it on, then `to-delete`. */
export const LIFETIME_PHASES = ['active', 'expired', 'to-delete'] as const
export type LifetimePhase = (typeof LIFETIME_PHASES)[number]

/** When the files of an expired server are deleted; in epoch milliseconds, like every time here. */
export const deletionAtMs = (expiresAtMs: number): number => expiresAtMs + KEPT_AFTER_EXPIRY_MS

/**
 * A server's phase in its paid time. The time of expiry belongs to the next phase. It is kept for 72 h after the expiry
 * or after its owner was notified, whichever is later: `toldAtMs` is null before that, and defaults to the expiry.
 */
export function lifetimePhase(
  expiresAtMs: number,
  nowMs: number,
  toldAtMs: number | null = expiresAtMs,
): LifetimePhase {
  if (nowMs < expiresAtMs) return 'active'
  return toldAtMs === null || nowMs < deletionAtMs(Math.max(expiresAtMs, toldAtMs)) ? 'expired' : 'to-delete'
}

/** Actions on a server that depend on its paid time. */
export const SERVER_ACTS = [
  'start',
  'restart',
  'stop',
  'read-files',
  'write-files',
  'reinstall',
  'modify',
  'renew',
] as const
export type ServerAct = (typeof SERVER_ACTS)[number]

const KEPT: readonly ServerAct[] = ['stop', 'read-files', 'renew']

export type ActDecision =
  { readonly ok: true } | { readonly ok: false; readonly code: 'SERVER_EXPIRED' | 'SERVER_DELETED' }

/**
 * Whether the paid time allows an action. An expired server does not start, its files are read-only, and it can be
 * renewed; after 72 h nothing is possible.
 */
export function checkAct(
  act: ServerAct,
  { expiresAtMs, nowMs }: { readonly expiresAtMs: number; readonly nowMs: number },
): ActDecision {
  const phase = lifetimePhase(expiresAtMs, nowMs)
  if (phase === 'active' || (phase === 'expired' && KEPT.includes(act))) return { ok: true }
  return { ok: false, code: phase === 'expired' ? 'SERVER_EXPIRED' : 'SERVER_DELETED' }
}

export type Reminder = {
  readonly days: ReminderDays
  /** One reminder of each kind per expiry: unique, whatever the clock does (T41). */
  readonly key: string
}

/**
 * The reminder that is due now, or undefined. Only the most urgent of several missed ones is sent, and none for a span
 * longer than the paid time: the owner of a one-day server is not reminded a week before.
 */
export function dueReminder(server: {
  readonly id: string
  readonly paidFromMs: number
  readonly expiresAtMs: number
  readonly nowMs: number
}): Reminder | undefined {
  const { id, paidFromMs, expiresAtMs, nowMs } = server
  if (nowMs >= expiresAtMs) return undefined
  const days = REMINDER_DAYS.findLast(
    (each) => nowMs >= expiresAtMs - each * DAY_MS && expiresAtMs - paidFromMs > each * DAY_MS,
  )
  return days === undefined ? undefined : { days, key: `remind:${id}:${expiresAtMs}:${days}` }
}

export type TestServerDecision =
  { readonly ok: true; readonly expiresAtMs: number } | { readonly ok: false; readonly code: 'TEST_ALREADY_HAD' }

/** Whether a customer gets a test server: one in their life, for a day. Staff grant it (specification section 1). */
export function grantTestServer({
  hadOne,
  nowMs,
}: {
  readonly hadOne: boolean
  readonly nowMs: number
}): TestServerDecision {
  return hadOne ? { ok: false, code: 'TEST_ALREADY_HAD' } : { ok: true, expiresAtMs: nowMs + TEST_SERVER_MS }
}

export type TestConversion =
  | { readonly ok: true; readonly paidFromMs: number }
  | { readonly ok: false; readonly code: 'NOT_A_TEST_SERVER' | 'SERVER_DELETED' }

/**
 * Whether a test server can be converted to a paid order while its files exist. The paid time starts at the end of the
 * test, so its rest is not lost; after that it starts now, because nobody pays for days on which the server was
 * stopped.
 */
export function convertTestServer(server: {
  readonly isTest: boolean
  readonly expiresAtMs: number
  readonly nowMs: number
}): TestConversion {
  const { isTest, expiresAtMs, nowMs } = server
  if (!isTest) return { ok: false, code: 'NOT_A_TEST_SERVER' }
  if (lifetimePhase(expiresAtMs, nowMs) === 'to-delete') return { ok: false, code: 'SERVER_DELETED' }
  return { ok: true, paidFromMs: Math.max(expiresAtMs, nowMs) }
}
