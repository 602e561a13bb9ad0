import * as z from 'zod'
import { PowerActionWord } from '../agent/server-spec.ts'
import { ConsoleNote } from '../console-notes.ts'
import { PlayersSeen } from './players.ts'
import { StatsHistory, StatsHistoryRequest } from './stats-history.ts'

/** Messages of the per-server socket are `{event, args}`, similar to the Wings protocol. Rules: SPEC.md, section P. */
export const PANEL_LIMITS = {
  maxFrameBytes: 4_096,
  maxCommandBytes: 4_096,
  authWithinMs: 4_000,
  /** Bytes buffered for a slow reader before sending pauses. */
  bufferedBytes: 256 * 1024,
  /** A reader that reads nothing from a full buffer for this long is closed with 4408. */
  slowForMs: 20_000,
  linesShown: 20_000,
  historyPageLines: 1_000,
  /** Bytes of text in one page of history; a page of long lines contains fewer. */
  historyPageBytes: 256 * 1024,
} as const

/** Token bucket of each inbound event: `rate` per second, `burst` at once. The set of events is fixed. */
export const PANEL_EVENT_LIMITS = {
  auth: { rate: 0.2, burst: 2 },
  'send command': { rate: 1, burst: 10 },
  'set state': { rate: 1, burst: 4 },
  'send history': { rate: 2, burst: 5 },
  'send logs': { rate: 0.2, burst: 2 },
  'send stats': { rate: 1, burst: 4 },
  'send stats history': { rate: 0.5, burst: 4 },
} as const
export const PANEL_GLOBAL_LIMIT = { rate: 5, burst: 10 } as const

/**
 * A console line: [sequence number, epoch milliseconds, o|e|i|x, text, note?]. i = installation, x = a note of ours,
 * whose code and parameters follow its English text. Lines are ordered by their number; the time may step back when a
 * clock is set.
 */
export const ConsoleLine = z.tuple([
  z.int().min(1),
  z.int(),
  z.enum(['o', 'e', 'i', 'x']),
  z.string(),
  ConsoleNote.optional(),
])
export type ConsoleLine = z.infer<typeof ConsoleLine>

/** Requests at most `limit` lines right before the line numbered `before`. */
export const HistoryRequest = z.object({ before: z.int().min(1), limit: z.int().min(1).max(1_000) })
export type HistoryRequest = z.infer<typeof HistoryRequest>

/**
 * The response: `lines` ascending, all with a number below `before`, the newest of them closest to it. It may contain
 * fewer lines than requested. `isStart` means that nothing older is kept; `lost` is then the number of lines before the
 * first one here (0 if it is the server's first), else 0.
 */
export const HistoryPage = z.object({
  before: z.int().min(1),
  lines: z.array(ConsoleLine),
  isStart: z.boolean(),
  lost: z.int().min(0),
})
export type HistoryPage = z.infer<typeof HistoryPage>

/** Clients of other panels send `[null]` for empty arguments. */
const NoArguments = z.union([z.tuple([]), z.tuple([z.null()])]).optional()

/**
 * A browser's messages. `auth` is [token, afterSeq?]: the console continues after that sequence number; without it the
 * agent replays its last lines. `send command` is [line, id?]; the id is returned in `command accepted`. `send logs` is
 * the first message of other panels' clients: here `auth` already sends the lines, and none is sent twice (rule P5).
 */
export const PanelClientMessage = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('auth'),
    args: z.union([z.tuple([z.string().max(4_096)]), z.tuple([z.string().max(4_096), z.int().min(0)])]),
  }),
  z.object({ event: z.literal('set state'), args: z.tuple([PowerActionWord]) }),
  z.object({
    event: z.literal('send command'),
    args: z.union([z.tuple([z.string().max(4_096)]), z.tuple([z.string().max(4_096), z.string().max(64)])]),
  }),
  z.object({ event: z.literal('send history'), args: z.tuple([HistoryRequest]) }),
  z.object({ event: z.literal('send logs'), args: NoArguments }),
  z.object({ event: z.literal('send stats'), args: NoArguments }),
  z.object({ event: z.literal('send stats history'), args: z.tuple([StatsHistoryRequest]) }),
])
export type PanelClientMessage = z.infer<typeof PanelClientMessage>
export type PanelClientEvent = PanelClientMessage['event']

/** The JSON text in the first argument of `stats`. Rates are bytes since the start; cpu 100 = one core. */
export const ServerStats = z.object({
  state: z.string(),
  cpu_absolute: z.number(),
  memory_bytes: z.number(),
  memory_limit_bytes: z.number(),
  disk_bytes: z.number(),
  disk_limit_bytes: z.number(),
  network: z.object({ rx_bytes: z.number(), tx_bytes: z.number() }).nullable(),
  uptime: z.number(),
  /** Null for a server whose template has no query; an older node omits it. */
  players: PlayersSeen.nullable().optional(),
})
export type ServerStats = z.infer<typeof ServerStats>

/**
 * How the server's program last ended. `oom`: it reached its memory limit. `restartInMs`: the node restarts it after
 * this time; null means no restart, and an older node omits it.
 */
export const ProgramEnd = z.object({
  code: z.int().nullable(),
  signal: z.string().nullable(),
  oom: z.boolean().optional(),
  restartInMs: z.int().min(0).nullable().optional(),
})
export type ProgramEnd = z.infer<typeof ProgramEnd>

/**
 * The agent's messages. `status` contains the state and, after an unexpected end, how the program ended. `console
 * output` contains a batch of lines; `dropped` is the exact number of missing lines after the last one. `throttled`
 * names the client's event that came too often, or `global`.
 */
export const PanelServerMessage = z.discriminatedUnion('event', [
  z.object({ event: z.literal('auth success'), args: z.tuple([z.object({ firstSeq: z.int(), lastSeq: z.int() })]) }),
  z.object({ event: z.literal('token expiring') }),
  z.object({ event: z.literal('token expired') }),
  z.object({ event: z.literal('jwt error'), args: z.tuple([z.string()]) }),
  z.object({
    event: z.literal('status'),
    args: z.union([z.tuple([z.string()]), z.tuple([z.string(), ProgramEnd.nullable()])]),
  }),
  z.object({ event: z.literal('stats'), args: z.tuple([z.string()]) }),
  z.object({ event: z.literal('console output'), args: z.tuple([z.array(ConsoleLine)]) }),
  z.object({ event: z.literal('console history'), args: z.tuple([HistoryPage]) }),
  z.object({ event: z.literal('stats history'), args: z.tuple([StatsHistory]) }),
  z.object({ event: z.literal('install started') }),
  z.object({ event: z.literal('install completed'), args: z.tuple([z.boolean()]) }),
  z.object({ event: z.literal('dropped'), args: z.tuple([z.int().min(1)]) }),
  z.object({ event: z.literal('command accepted'), args: z.tuple([z.string()]) }),
  z.object({ event: z.literal('throttled'), args: z.tuple([z.string()]) }),
  z.object({ event: z.literal('daemon message'), args: z.tuple([z.string(), ConsoleNote.optional()]) }),
  z.object({ event: z.literal('daemon error'), args: z.tuple([z.string()]) }),
  z.object({ event: z.literal('deleted') }),
])
export type PanelServerMessage = z.infer<typeof PanelServerMessage>
