import type { ServerActivity } from '#contracts/http/panel/server-activity.ts'
import { dayIn } from '@/lib/format/day.ts'

/** Entries of one person that did the same within this time are shown as one. */
const BURST_MS = 600_000
/** Fewer stand each by themselves. */
const BURST_FROM = 3

/** Entries that are shown as one: the newest first. */
export type Burst = readonly [ServerActivity, ...ServerActivity[]]
export type ActivityDay = { readonly day: string; readonly bursts: readonly Burst[] }

const actorOf = ({ actor }: ServerActivity): string => (typeof actor === 'string' ? actor : actor.id)

const isSame = (a: ServerActivity, b: ServerActivity): boolean =>
  actorOf(a) === actorOf(b) &&
  a.type === b.type &&
  a.way === b.way &&
  a.status === b.status &&
  a.ipAddress === b.ipAddress &&
  Math.abs(Date.parse(a.date) - Date.parse(b.date)) <= BURST_MS

const runsOf = (entries: readonly ServerActivity[]): Burst[] => {
  const runs: [ServerActivity, ...ServerActivity[]][] = []
  for (const entry of entries) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (run !== undefined && last !== undefined && isSame(last, entry)) run.push(entry)
    else runs.push([entry])
  }
  return runs.flatMap((run) => (run.length < BURST_FROM ? run.map((entry): Burst => [entry]) : [run]))
}

/** Entries, newest first, by the day of the reader's zone, with those of one burst together. */
export const daysOf = (entries: readonly ServerActivity[], timeZone: string | undefined): ActivityDay[] => {
  const days: { day: string; entries: ServerActivity[] }[] = []
  for (const entry of entries) {
    const day = dayIn(entry.date, timeZone)
    const last = days.at(-1)
    if (last?.day === day) last.entries.push(entry)
    else days.push({ day, entries: [entry] })
  }
  return days.map(({ day, entries: ofDay }) => ({ day, bursts: runsOf(ofDay) }))
}
