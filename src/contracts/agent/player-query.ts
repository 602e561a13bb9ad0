import * as z from 'zod'

/**
 * The queries that a template may choose, by their gamedig type. All of them ask one port with packets of the game's own
 * protocol: none looks up a name, fetches a web page or asks a list of servers elsewhere.
 */
export const QUERY_TYPES = [
  'protocol-minecraftvanilla',
  'protocol-minecraftbedrock',
  'protocol-valve',
  'arma3',
  'conanexiles',
  'counterstrike16',
  'counterstrike2',
  'csgo',
  'garrysmod',
  'rust',
] as const
export type QueryType = (typeof QUERY_TYPES)[number]

/**
 * How a node counts the players of a server. A node of another release ignores a type that it does not know. `port` is
 * the position among the server's own ports, as in `{{port:N}}`; null is the primary one.
 */
export const PlayerQuery = z.object({ type: z.string().max(40), port: z.int().min(0).max(19).nullable() })
export type PlayerQuery = z.infer<typeof PlayerQuery>

/** Bounds of what a game says about its players: customers control it. */
export const PLAYER_BOUNDS = { count: 100_000, names: 100, nameLength: 32 } as const
/** A number of players as a game tells it. */
export const CountedPlayers = z.int().min(0).max(PLAYER_BOUNDS.count)
