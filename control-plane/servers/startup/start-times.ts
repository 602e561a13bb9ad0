import * as z from 'zod'
import type { StartTimes } from '#contracts/http/panel/start-times.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { PERMISSION_OF_CALL } from '#contracts/panel/permissions.ts'
import { keptStarts, usualStart } from '#domain/servers/start-times.ts'
import type { ServerState } from '#domain/servers/server-lifecycle.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { Context } from '../../platform/context.ts'
import { accessOf } from '../access/server-access.ts'

/** Both moments are of the node's clock, so the difference needs no agreement with ours. */
type Change = {
  readonly serverId: string
  readonly from: { readonly state: ServerState; readonly sinceMs: number }
  readonly to: { readonly state: ServerState; readonly sinceMs: number }
}

// The image that the program was started with: another one may have been saved while it started.
const SELECT = `select o.start_times_ms, o.start_times_of,
    concat_ws(' ', s.node_id, s.template_id, coalesce(o.started_with, s.spec) ->> 'image') as started_of,
    concat_ws(' ', s.node_id, s.template_id, s.spec ->> 'image') as next_of
  from control.servers s join control.server_state o on o.server_id = s.id where s.id = $1`
const Row = z.object({
  start_times_ms: z.array(z.int()),
  start_times_of: z.string(),
  started_of: z.string(),
  next_of: z.string(),
})

const rowOf = async (sql: Sql, serverId: string) => {
  const [row] = await sql.query<Record<string, unknown>>(SELECT, [serverId])
  return row && Row.parse(row)
}

/** Keeps how long a start took, when a server that was starting runs. Starts of another node, template or image are forgotten. */
export async function noteStartTime(tx: Sql, { serverId, from, to }: Change): Promise<void> {
  if (from.state !== 'starting' || to.state !== 'running') return
  const row = await rowOf(tx, serverId)
  if (!row) return
  const earlier = row.start_times_of === row.started_of ? row.start_times_ms : []
  await tx.query('update control.server_state set start_times_ms = $2, start_times_of = $3 where server_id = $1', [
    serverId,
    [...keptStarts(earlier, to.sinceMs - from.sinceMs)],
    row.started_of,
  ])
}

export type StartTimesRefusal = {
  readonly ok: false
  readonly code: 'NOT_FOUND' | 'FORBIDDEN' | 'SERVER_SUSPENDED'
  readonly permission?: string
}

/** Reads how long a server's starts take, for somebody who may read its console. */
export async function readStartTimes(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { caller, serverId }: { caller: Pick<Caller, 'userId' | 'isAdmin'>; serverId: string },
): Promise<{ readonly ok: true; readonly times: StartTimes } | StartTimesRefusal> {
  const access = await accessOf(db, caller, serverId)
  if (!access) return { ok: false, code: 'NOT_FOUND' }
  const { server, permissions, isStaff } = access
  if (server.suspended && !isStaff) return { ok: false, code: 'SERVER_SUSPENDED' }
  const permission = PERMISSION_OF_CALL['GET /api/server/{id}/starts']
  if (!permissions.includes(permission)) return { ok: false, code: 'FORBIDDEN', permission }
  const row = await rowOf(db, serverId)
  const usual = usualStart(row !== undefined && row.start_times_of === row.next_of ? row.start_times_ms : [])
  const isStarting = server.state === 'starting'
  return {
    ok: true,
    times: { usual, startingForMs: isStarting ? Math.max(0, clock.now() - server.stateSinceMs) : null },
  }
}
