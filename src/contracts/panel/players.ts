import * as z from 'zod'

/** Bounds of what a game says about its players: customers control it. */
export const PLAYER_BOUNDS = { count: 100_000, names: 100, nameLength: 32 } as const

const Count = z.int().min(0).max(PLAYER_BOUNDS.count)

/**
 * The players of a server: `waiting` until its game has been asked, and while it does not run; `silent` if the game did
 * not answer. `names` may contain fewer than `online`, because many games name only some.
 */
export const PlayersSeen = z.discriminatedUnion('state', [
  z.object({ state: z.literal('waiting') }),
  z.object({ state: z.literal('silent') }),
  z.object({
    state: z.literal('answered'),
    online: Count,
    max: Count,
    names: z.array(z.string().min(1).max(PLAYER_BOUNDS.nameLength)).max(PLAYER_BOUNDS.names),
  }),
])
export type PlayersSeen = z.infer<typeof PlayersSeen>
export type PlayersCount = Extract<PlayersSeen, { state: 'answered' }>

/** The players of each minute in which the game answered. `times` are whole epoch seconds, ascending. */
export const PlayersHistory = z.object({ times: z.array(z.int()), online: z.array(Count), max: z.array(Count) })
export type PlayersHistory = z.infer<typeof PlayersHistory>
