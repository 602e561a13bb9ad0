import * as z from 'zod'
import { MAX_GROUP_NAME_LENGTH } from '#domain/servers/list-layout.ts'
import { Id, MAX_ITEMS } from '../primitives.ts'

const Servers = z.array(Id).max(MAX_ITEMS)
const GroupName = z.string().trim().min(1).max(MAX_GROUP_NAME_LENGTH)

/** `GET /api/user/server-layout`: how the caller has arranged the list of servers; each server is in it once. */
export const ServerLayout = z.object({
  groups: z.array(z.object({ id: Id, name: z.string(), folded: z.boolean(), servers: z.array(Id) })),
  /** The servers without a group. */
  loose: z.array(Id),
  dense: z.boolean(),
})
export type ServerLayout = z.infer<typeof ServerLayout>

/**
 * `POST /api/user/server-layout`: one change. The ids of groups are chosen by the client, so that a repeated call adds none
 * twice. `before` names a neighbour and not a number, because another browser may have moved others meanwhile.
 */
export const ServerLayoutChange = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('move'),
    servers: Servers.min(1),
    groupId: Id.nullable(),
    before: Id.nullable(),
  }),
  z.object({ kind: z.literal('addGroup'), groupId: Id, name: GroupName, servers: Servers }),
  z.object({ kind: z.literal('renameGroup'), groupId: Id, name: GroupName }),
  z.object({ kind: z.literal('removeGroup'), groupId: Id }),
  z.object({ kind: z.literal('moveGroup'), groupId: Id, before: Id.nullable() }),
  z.object({ kind: z.literal('fold'), groupId: Id, folded: z.boolean() }),
  z.object({ kind: z.literal('density'), dense: z.boolean() }),
])
export type ServerLayoutChange = z.infer<typeof ServerLayoutChange>
