import * as z from 'zod'
import { serversOf } from '#contracts/control-api/shown-server.ts'
import type { PlayerDays } from '#contracts/summary/figures.ts'
import { playerDays } from '#domain/servers/player-days.ts'
import { hoursKeptSinceMs } from '#domain/servers/player-hours.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { COUNTED_PERMISSION, mayReadPlayers } from './player-counts.ts'

const Row = z.object({ hour_ms: z.int(), players: z.int() })

const SELECT = `
  select extract(epoch from p.hour)::float8 * 1000 as hour_ms, least(sum(p.peak), 2147483647)::int as players
  from control_api.servers s join control.player_hours p on p.server_id = s.id and p.hour >= $3
  where ${serversOf('$1')} and ${mayReadPlayers('$1', '$2')}
  group by p.hour`

/** The most players of each of the last days on all servers of a person whose players they may see, in a zone. */
export async function readPlayerDays(
  sql: Sql,
  { userId, nowMs, timeZone }: { userId: string; nowMs: number; timeZone: string },
): Promise<PlayerDays> {
  const rows = await sql.query<Record<string, unknown>>(SELECT, [
    userId,
    COUNTED_PERMISSION,
    new Date(hoursKeptSinceMs(nowMs)),
  ])
  const hours = rows.map((row) => {
    const { hour_ms: hourMs, players } = Row.parse(row)
    return { hourMs, players }
  })
  const { days, peak } = playerDays(hours, { nowMs, timeZone })
  return {
    days: [...days],
    peak: peak === null ? null : { at: new Date(peak.hourMs).toISOString(), players: peak.players },
  }
}
