import { assert } from '../kernel/assert.ts'
import { dayAfter, dayFormat } from '../kernel/calendar-day.ts'

/** So many days of players are shown, today last. Hours are kept for a day longer (`hoursKeptSinceMs`). */
export const PLAYER_DAYS = 7

/** The most players at once within an hour that begins at `hourMs`, in epoch milliseconds, over several servers. */
export type PlayerHour = { readonly hourMs: number; readonly players: number }
/** A calendar day as `2026-11-24` and its most players; null where no game answered. */
export type PlayerDay = { readonly day: string; readonly most: number | null }

/**
 * The most players of each of the last seven days in a zone, oldest first, and the hour in which there were most. An hour counts for the
 * day in which it begins there; zones with half hours shift it by that much. Of equal hours the newest is the peak.
 */
export const playerDays = (
  hours: readonly PlayerHour[],
  { nowMs, timeZone }: { nowMs: number; timeZone: string },
): { readonly days: readonly PlayerDay[]; readonly peak: PlayerHour | null } => {
  const format = dayFormat(timeZone)
  const today = format.format(nowMs)
  const most = new Map<string, number>()
  const names = Array.from({ length: PLAYER_DAYS }, (_, at) => dayAfter(today, at - PLAYER_DAYS + 1))
  let peak: PlayerHour | null = null
  for (const hour of hours) {
    const day = format.format(hour.hourMs)
    if (!names.includes(day)) continue
    most.set(day, Math.max(most.get(day) ?? 0, hour.players))
    const isMore = peak === null || hour.players > peak.players
    const isNewer = hour.players === peak?.players && hour.hourMs > peak.hourMs
    if (isMore || isNewer) peak = hour
  }
  const days = names.map((day) => ({ day, most: most.get(day) ?? null }))
  assert(days.at(-1)?.day === today, 'the days end today')
  return { days, peak }
}
