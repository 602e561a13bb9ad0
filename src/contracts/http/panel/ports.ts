import * as z from 'zod'
import { Id, Instant } from '../../primitives.ts'

export const MAX_PORT_NOTE = 80

/** The use of a port. `program`: the server's own program names it by its place. */
export const PORT_USES = ['primary', 'program', 'variable', 'free'] as const
export type PortUseWord = (typeof PORT_USES)[number]

/** A port of a server, for tcp and udp alike. */
export const ServerPort = z.object({
  id: Id,
  ip: z.string(),
  port: z.int(),
  /** As players type it. */
  address: z.string(),
  note: z.string(),
  isPrimary: z.boolean(),
  use: z.enum(PORT_USES),
  /** The variables that name it, in the caller's language where the template names them. */
  variables: z.array(z.object({ name: z.string(), environmentVariable: z.string() })),
  /** Why it can't be removed; null if it can. */
  keptBy: z.enum(['primary', 'program', 'variable']).nullable(),
  /** The running program was started before the server had it. */
  waitsForRestart: z.boolean(),
})
export type ServerPort = z.infer<typeof ServerPort>

/** A removed port, which the server's program can still use: nobody else gets it yet. */
export const LeavingPort = ServerPort.pick({ id: true, port: true, address: true })
export type LeavingPort = z.infer<typeof LeavingPort>

export const ServerPorts = z.object({
  /** The primary port first, then the others by their number. */
  ports: z.array(ServerPort),
  leaving: z.array(LeavingPort),
  /** How many ports the server may have. */
  limit: z.int(),
  /** The running program has other ports than the server has now. */
  needsRestart: z.boolean(),
  /** Why nothing can be changed at the moment; null if it can. */
  readOnly: z.enum(['suspended', 'expired']).nullable(),
})
export type ServerPorts = z.infer<typeof ServerPorts>

export const PortNote = z.object({ note: z.string().trim().max(MAX_PORT_NOTE) })
export type PortNote = z.infer<typeof PortNote>

/**
 * Whether a tcp connection to the port was accepted: `open`; refused at once: `closed`; or neither within the time: `silent`, as behind a
 * firewall. Udp cannot be tested that way, because a program need not answer.
 */
export const PORT_ANSWERS = ['open', 'closed', 'silent'] as const
export const PortCheck = z.object({ tcp: z.enum(PORT_ANSWERS), checkedAt: Instant })
export type PortCheck = z.infer<typeof PortCheck>
