import * as z from 'zod'
import { PlayersHistory } from './players.ts'

/** A node's history of each server: seconds for 10 minutes, 10 seconds for 3 hours, minutes for 24 hours. */
export const STATS_STEPS = [
  { seconds: 1, keptSeconds: 600 },
  { seconds: 10, keptSeconds: 10_800 },
  { seconds: 60, keptSeconds: 86_400 },
] as const
export const StatsStep = z.union([z.literal(1), z.literal(10), z.literal(60)])
export type StatsStep = z.infer<typeof StatsStep>

/** Requests the samples since `fromMs` (epoch milliseconds) in steps of this many seconds. */
export const StatsHistoryRequest = z.object({ fromMs: z.int().min(0), step: StatsStep })
export type StatsHistoryRequest = z.infer<typeof StatsHistoryRequest>

const Column = z.array(z.number())
/** The minimum, mean and maximum of each step; with a step of 1 second all three are equal. */
const Spread = z.object({ min: Column, avg: Column, max: Column })

/**
 * Columns of equal length, for graphs. `times` contains the beginning of each step in whole epoch seconds, ascending; a
 * step without measurements is omitted. `cpu` 100 = one core; `memory` and `disk` are bytes; `received` and `sent` are
 * bytes per second, null if the node does not know them.
 */
export const StatsHistory = z.object({
  step: StatsStep,
  fromMs: z.int(),
  times: z.array(z.int()),
  cpu: Spread,
  memory: Spread,
  disk: Column,
  network: z.object({ received: Spread, sent: Spread }).nullable(),
  /** Minutes in every step. Null for a server whose players are not counted; an older node omits it. */
  players: PlayersHistory.nullable().optional(),
})
export type StatsHistory = z.infer<typeof StatsHistory>
