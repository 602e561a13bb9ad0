import * as z from 'zod'
import type { ServerSpec } from '#contracts/agent/server-spec.ts'
import { TIME_ZONE_VARIABLE } from '#domain/servers/operation.ts'
import type { PortLinks } from '#domain/startup/port-links.ts'
import { movedLinks } from '#domain/startup/port-links.ts'
import type { StartedWith } from '#domain/startup/running-difference.ts'
import { assert } from '#domain/kernel/assert.ts'
import type { Sql } from '#platform/postgres/database.ts'

/** The start-up settings of a server beside its specification. */
export type StartupState = {
  readonly portLinks: PortLinks
  readonly version: number
  readonly changedAtMs: number | null
  /** Null while nothing runs, or its node does not say. */
  readonly startedWith: StartedWith | null
}

const Links = z.record(z.string(), z.union([z.literal('primary'), z.templateLiteral([z.number()])]))
const Started = z.object({
  environment: z.record(z.string(), z.string()),
  image: z.string().nullable(),
  argv: z.array(z.string()),
  ports: z.array(z.number()),
  memoryMiB: z.number(),
})
const Row = z.object({
  port_links: Links,
  startup_version: z.int(),
  startup_changed_at: z.date().nullable(),
  started_with: Started.nullable(),
})

/** The values with which a server of this specification starts. */
export const startedWithOf = (spec: ServerSpec): StartedWith => ({
  environment: spec.timeZone ? { ...spec.environment, [TIME_ZONE_VARIABLE]: spec.timeZone } : spec.environment,
  image: spec.image,
  argv: spec.startup.argv,
  ports: spec.allocations.toSorted((one, other) => Number(other.primary) - Number(one.primary)).map(({ port }) => port),
  memoryMiB: spec.limits.memoryMiB,
})

/** Reads the start-up settings of a server that exists. */
export async function readStartupState(sql: Sql, serverId: string): Promise<StartupState> {
  const [found] = await sql.query<Record<string, unknown>>(
    `select s.port_links, s.startup_version, s.startup_changed_at, o.started_with
     from control.servers s left join control.server_state o on o.server_id = s.id where s.id = $1`,
    [serverId],
  )
  assert(found, 'the server exists')
  const row = Row.parse(found)
  return {
    portLinks: row.port_links,
    version: row.startup_version,
    changedAtMs: row.startup_changed_at?.getTime() ?? null,
    startedWith: row.started_with,
  }
}

/** Records that a person changed the start-up settings, with the links of their ports. */
export async function writeStartupState(
  tx: Sql,
  serverId: string,
  { portLinks, nowMs }: { portLinks: PortLinks; nowMs: number },
): Promise<void> {
  await tx.query(
    `update control.servers set port_links = $2, startup_version = startup_version + 1, startup_changed_at = $3
     where id = $1`,
    [serverId, JSON.stringify(portLinks), new Date(nowMs)],
  )
}

/** Points the linked variables of a server at its ports on another node, before it gets them. */
export async function movePortLinks(
  tx: Sql,
  serverId: string,
  { before, after }: { before: ServerSpec['allocations']; after: ServerSpec['allocations'] },
): Promise<void> {
  const { portLinks } = await readStartupState(tx, serverId)
  if (Object.keys(portLinks).length === 0) return
  await tx.query('update control.servers set port_links = $2 where id = $1', [
    serverId,
    JSON.stringify(movedLinks(portLinks, before, after)),
  ])
}

/**
 * Keeps what a program was started with, as its node reports it by the generation: in the specification, or in the command
 * that delivered that generation, when a change has been saved since.
 */
export async function noteStart(
  tx: Sql,
  { serverId, generation }: { serverId: string; generation: number | null },
): Promise<void> {
  const [known] = await tx.query<{ spec: ServerSpec | null }>(
    `select coalesce(
       (select s.spec from control.servers s where s.id = $1 and s.generation = $2),
       (select c.body -> 'spec' from control.commands c
        where c.server_id = $1 and c.generation = $2 and c.body ? 'spec' limit 1)) as spec
     from control.server_state o where o.server_id = $1 and o.running_generation is distinct from $2`,
    [serverId, generation],
  )
  if (!known) return
  await tx.query('update control.server_state set running_generation = $2, started_with = $3 where server_id = $1', [
    serverId,
    generation,
    known.spec === null ? null : JSON.stringify(startedWithOf(known.spec)),
  ])
}
