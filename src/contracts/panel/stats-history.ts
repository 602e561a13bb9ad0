import * as z from 'zod'

/** What the node keeps of each server: a second for 10 minutes, 10 seconds for 3 hours, a minute for 24 hours. */
export const STATS_STEPS = [
  { seconds: 1, keptSeconds: 600 },
  { seconds: 10, keptSeconds: 10_800 },
  { seconds: 60, keptSeconds: 86_400 },
] as const
export const StatsStep = z.union([z.literal(1), z.literal(10), z.literal(60)])
export type StatsStep = z.infer<typeof StatsStep>

/** Asks for the samples since `fromMs` (milliseconds since 1970) in steps of so many seconds. */
export const StatsHistoryRequest = z.object({ fromMs: z.int().min(0), step: StatsStep })
export type StatsHistoryRequest = z.infer<typeof StatsHistoryRequest>

const Column = z.array(z.number())
/** Of each step the smallest, the middle and the greatest value; with a step of 1 second all three are the same. */
const Spread = z.object({ min: Column, avg: Column, max: Column })

/**
 * Columns of one length, as graphs take them. `times` holds the beginning of each step in whole seconds since 1970,
 * ascending; a step in which nothing was measured is left out. `cpu` 100 = one core; `memory` and `disk` are bytes;
 * `received` and `sent` are bytes a second, null when the node cannot tell them.
 */
export const StatsHistory = z.object({
  step: StatsStep,
  fromMs: z.int(),
  times: z.array(z.int()),
  cpu: Spread,
  memory: Spread,
  disk: Column,
  network: z.object({ received: Spread, sent: Spread }).nullable(),
})
export type StatsHistory = z.infer<typeof StatsHistory>
