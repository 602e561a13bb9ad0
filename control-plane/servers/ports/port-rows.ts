import type { PortFacts } from '#domain/servers/ports.ts'
import type { PortLinks } from '#domain/startup/port-links.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { ServerRecord } from '../store/server-store.ts'

/** A port of a server, with the generations between which its specification has it. */
export type PortRow = {
  readonly id: string
  readonly ip: string
  readonly port: number
  readonly isPrimary: boolean
  readonly note: string
  readonly addedIn: number
  readonly removedIn: number | null
}

type Row = {
  id: string
  ip: string
  port: number
  is_primary: boolean
  note: string
  added_in: number
  removed_in: number | null
}

/** Every port of a server, those that it leaves too: the primary one first, then by number. */
export async function readPortRows(sql: Sql, serverId: string): Promise<PortRow[]> {
  const rows = await sql.query<Row>(
    `select id, host(ip) as ip, port, is_primary, note, added_in, removed_in from control.allocations
     where server_id = $1 order by is_primary desc, port`,
    [serverId],
  )
  return rows.map((row) => ({
    id: row.id,
    ip: row.ip,
    port: row.port,
    isPrimary: row.is_primary,
    note: row.note,
    addedIn: row.added_in,
    removedIn: row.removed_in,
  }))
}

/** The ports in a server's specification, with everything that names one. */
export const portFactsOf = ({ spec }: Pick<ServerRecord, 'spec'>, links: PortLinks): PortFacts => ({
  allocations: spec.allocations,
  programs: [spec.startup.argv, ...spec.install.map(({ argv }) => argv)],
  environment: spec.environment,
  linked: Object.keys(links),
})
