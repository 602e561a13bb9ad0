import * as z from 'zod'
import { PLAYER_DAYS } from '#domain/servers/player-days.ts'
import { TIME_ZONE_LENGTH } from '#domain/users/time-zone.ts'
import { Instant } from '../primitives.ts'

/**
 * The reader's zone decides when a day begins; without one it is the site's, and likewise for a name that is unknown here: a browser may
 * know newer zones.
 */
export const PlayerDaysQuery = z.object({ timeZone: z.string().max(TIME_ZONE_LENGTH).optional() })

const Players = z.int().min(0)

/**
 * `GET /api/stats/players`: the most players of each of the last seven days on the servers whose console the reader may read, today last.
 * The hourly peaks of all servers are summed for each hour, and the largest sum of a day counts, so that the evening of one server and the
 * morning of another are not added up. The sum is exact to the hour: two servers may have had their peaks in different minutes of it. A
 * day without an answer of any game is null.
 */
export const PlayerDays = z.object({
  days: z.array(z.object({ day: z.iso.date(), most: Players.nullable() })).length(PLAYER_DAYS),
  /** The hour with the most players, by its beginning. */
  peak: z.object({ at: Instant, players: Players }).nullable(),
})
export type PlayerDays = z.infer<typeof PlayerDays>

/** `GET /api/stats/host`: figures of the whole host, at most a minute old. One that staff hide is absent. */
export const HostFigures = z.object({ registeredUsers: z.int().min(0).optional() })
export type HostFigures = z.infer<typeof HostFigures>
