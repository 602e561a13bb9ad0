import * as z from 'zod'
import type { Permission } from './permissions.ts'

/** `GET /servers/{id}/ports` at the server's node, with a token of the purpose `ports` as Bearer. */
export const PORTS_PERMISSION = 'allocation.view' satisfies Permission

/** Whether a program listens on each port of the server, and of no other; null where the node cannot see it. */
export const NodePorts = z.object({
  ports: z.array(z.object({ port: z.int(), tcp: z.boolean().nullable(), udp: z.boolean().nullable() })),
})
export type NodePorts = z.infer<typeof NodePorts>
