import * as z from 'zod'
import { PowerActionWord } from '../agent/server-spec.ts'

/** Messages of the per-server socket are `{event, args}`, a relative of the Wings protocol. Rules: SPEC.md, section P. */
export const PANEL_LIMITS = {
  maxFrameBytes: 8_192,
  maxCommandBytes: 4_096,
  socketsPerServer: 30,
  socketsPerUserAndServer: 10,
  authWithinMs: 10_000,
  /** Bytes that may wait for a slow reader before the pump pauses. */
  bufferedBytes: 256 * 1024,
  linesShown: 20_000,
} as const

/** Token bucket of each inbound event: `rate` in a second, `burst` at once. The set of events is fixed. */
export const PANEL_EVENT_LIMITS = {
  auth: { rate: 0.2, burst: 2 },
  'send command': { rate: 1, burst: 10 },
  'set state': { rate: 1, burst: 4 },
  'send logs': { rate: 0.2, burst: 2 },
  'send stats': { rate: 1, burst: 4 },
} as const
export const PANEL_GLOBAL_LIMIT = { rate: 5, burst: 10 } as const

/**
 * What a browser sends. `auth` is [token, afterSeq?]: the console goes on after that sequence number; without it the
 * agent replays the last lines it holds. `send logs` is [beforeSeq, count]: older lines from the file.
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
  z.object({ event: z.literal('send logs'), args: z.tuple([z.int().min(1), z.int().min(1).max(1_000)]) }),
  z.object({ event: z.literal('send stats'), args: z.tuple([]).optional() }),
])
export type PanelClientMessage = z.infer<typeof PanelClientMessage>
export type PanelClientEvent = PanelClientMessage['event']

/** A console line: [sequence number, milliseconds since 1970, o|e|i|x, text]. i = installation, x = a note of ours. */
export const ConsoleLine = z.tuple([z.int().min(1), z.int(), z.enum(['o', 'e', 'i', 'x']), z.string()])
export type ConsoleLine = z.infer<typeof ConsoleLine>

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
})
export type ServerStats = z.infer<typeof ServerStats>

/** What the agent sends. `console output` and `install output` carry batches; `dropped` an exact count of lines. */
export const PanelServerMessage = z.discriminatedUnion('event', [
  z.object({ event: z.literal('auth success'), args: z.tuple([z.object({ firstSeq: z.int(), lastSeq: z.int() })]) }),
  z.object({ event: z.literal('token expiring') }),
  z.object({ event: z.literal('token expired') }),
  z.object({ event: z.literal('jwt error'), args: z.tuple([z.string()]) }),
  z.object({ event: z.literal('status'), args: z.tuple([z.string()]) }),
  z.object({ event: z.literal('stats'), args: z.tuple([z.string()]) }),
  z.object({ event: z.literal('console output'), args: z.tuple([z.array(ConsoleLine)]) }),
  z.object({ event: z.literal('older output'), args: z.tuple([z.array(ConsoleLine)]) }),
  z.object({ event: z.literal('install started') }),
  z.object({ event: z.literal('install completed'), args: z.tuple([z.boolean()]) }),
  z.object({ event: z.literal('dropped'), args: z.tuple([z.int().min(1)]) }),
  z.object({ event: z.literal('command accepted'), args: z.tuple([z.string()]) }),
  z.object({ event: z.literal('throttled'), args: z.tuple([z.string()]) }),
  z.object({ event: z.literal('daemon message'), args: z.tuple([z.string()]) }),
  z.object({ event: z.literal('daemon error'), args: z.tuple([z.string()]) }),
  z.object({ event: z.literal('deleted') }),
])
export type PanelServerMessage = z.infer<typeof PanelServerMessage>
