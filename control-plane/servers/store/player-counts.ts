import * as z from 'zod'
import type { PlayerCount } from '#contracts/agent/session.ts'
import { serversOf } from '#contracts/control-api/shown-server.ts'
import { PLAYER_HOURS, type ServerPlayers } from '#contracts/panel/players.ts'
import { PERMISSION_OF_CALL } from '#contracts/panel/permissions.ts'
import { countedSinceMs, firstHourMs, hourOf, lastHours } from '#domain/servers/player-hours.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { Context } from '../../platform/context.ts'

/** Keeps what a node told about the players of its own servers. Counts of servers that are not on it are left out. */
export async function storePlayerCounts(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { nodeId, counts }: { nodeId: string; counts: readonly PlayerCount[] },
): Promise<void> {
  const nowMs = clock.now()
  await db.query(
    `with told as (
       select distinct on (s.id) s.id, c.online, c.most
       from unnest($2::uuid[], $3::int[], $4::int[]) as c (id, online, most)
         join control.servers s on s.id = c.id and s.node_id = $1 and s.deleted_at is null
       order by s.id
     ), hours as (
       insert into control.player_hours (server_id, hour, peak) select id, $6, online from told
       on conflict (server_id, hour) do update set peak = greatest(player_hours.peak, excluded.peak)
     )
     insert into control.player_counts (server_id, online, most, counted_at) select id, online, most, $5 from told
     on conflict (server_id) do update
       set online = excluded.online, most = excluded.most, counted_at = excluded.counted_at`,
    [
      nodeId,
      counts.map(({ serverId }) => serverId),
      counts.map(({ online }) => online),
      counts.map(({ max }) => max),
      new Date(nowMs),
      new Date(hourOf(nowMs)),
    ],
  )
}

const Row = z.object({
  id: z.string(),
  online: z.int().nullable(),
  most: z.int().nullable(),
  hours: z.array(z.object({ hourMs: z.int(), peak: z.int() })).nullable(),
})

/** Collaborators see the players where they see the console. */
export const COUNTED_PERMISSION = PERMISSION_OF_CALL['GET /api/server/{id}/starts']

/** A condition on `s`, a server: the person of one placeholder owns it, or has the permission of the other one there. */
export const mayReadPlayers = (person: string, permission: string): string => `(s.owner_id = ${person} or exists (
  select from control_api.server_users u
  where u.server_id = s.id and u.user_id = ${person} and ${permission} = any (u.permissions)))`

// A server that does not run has no players now, whatever was counted last.
const SELECT = `
  select s.id, c.online, c.most, h.hours
  from control_api.servers s
    left join control.player_counts c on c.server_id = s.id and c.counted_at > $3
      and exists (select from control.server_state o where o.server_id = s.id and o.state = 'running')
    left join lateral (
      select jsonb_agg(jsonb_build_object('hourMs', extract(epoch from p.hour)::bigint * 1000, 'peak', p.peak)) as hours
      from control.player_hours p where p.server_id = s.id and p.hour >= $4
    ) h on true
  where ${serversOf('$1')} and (c.server_id is not null or h.hours is not null)
    and ${mayReadPlayers('$1', '$2')}`

/** The players of a person's own and shared servers, without those whose game was never asked. */
export async function readPlayerCounts(sql: Sql, reader: { userId: string; nowMs: number }): Promise<ServerPlayers[]> {
  const { userId, nowMs } = reader
  const rows = await sql.query<Record<string, unknown>>(SELECT, [
    userId,
    COUNTED_PERMISSION,
    new Date(countedSinceMs(nowMs)),
    new Date(firstHourMs(PLAYER_HOURS, nowMs)),
  ])
  return rows.map((row) => {
    const { id, online, most, hours } = Row.parse(row)
    const now = online === null || most === null ? null : { online, max: most }
    return { serverId: id, now, hours: lastHours(hours ?? [], PLAYER_HOURS, nowMs) }
  })
}
