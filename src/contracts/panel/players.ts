import * as z from 'zod'
import { CountedPlayers, PLAYER_BOUNDS } from '../agent/player-query.ts'
import { Id } from '../primitives.ts'

/**
 * The players of a server: `waiting` until its game has been asked, and while it does not run; `silent` if the game did
 * not answer. `names` may contain fewer than `online`, because many games name only some.
 */
export const PlayersSeen = z.discriminatedUnion('state', [
  z.object({ state: z.literal('waiting') }),
  z.object({ state: z.literal('silent') }),
  z.object({
    state: z.literal('answered'),
    online: CountedPlayers,
    max: CountedPlayers,
    names: z.array(z.string().min(1).max(PLAYER_BOUNDS.nameLength)).max(PLAYER_BOUNDS.names),
  }),
])
export type PlayersSeen = z.infer<typeof PlayersSeen>
export type PlayersCount = Extract<PlayersSeen, { state: 'answered' }>

/** The players of each minute in which the game answered. `times` are whole epoch seconds, ascending. */
export const PlayersHistory = z.object({
  times: z.array(z.int()),
  online: z.array(CountedPlayers),
  max: z.array(CountedPlayers),
})
export type PlayersHistory = z.infer<typeof PlayersHistory>

/** So many hours of players are shown beside a server, the present one last. */
export const PLAYER_HOURS = 24

/** The players of one server: now, null while nothing is known, and the most of each hour; null for hours without an answer. */
export const ServerPlayers = z.object({
  serverId: Id,
  now: z.object({ online: CountedPlayers, max: CountedPlayers }).nullable(),
  hours: z.array(CountedPlayers.nullable()).length(PLAYER_HOURS),
})
export type ServerPlayers = z.infer<typeof ServerPlayers>

/** The answer about all servers of a person. */
export const ServerPlayersList = z.array(ServerPlayers)
