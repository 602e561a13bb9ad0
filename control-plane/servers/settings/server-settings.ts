import type { ServerSettings } from '#contracts/http/panel/server-settings.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { TIME_ZONE_VARIABLE, type Operation } from '#domain/servers/operation.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { Context } from '../../platform/context.ts'
import { accessOf } from '../access/server-access.ts'
import { readStartupState, startedWithOf } from '../startup/startup-store.ts'
import type { ServerRecord } from '../store/server-store.ts'

/** How a server is run, from its specification. */
export const operationOf = ({ spec }: Pick<ServerRecord, 'spec'>): Operation => ({
  timeZone: spec.timeZone ?? null,
  autoStart: spec.autoStart ?? true,
  stopTimeoutS: Math.round(spec.stopTimeoutMs / 1_000),
})

/** The settings of a server as its readers see them. */
export async function shownSettings(sql: Sql, server: ServerRecord): Promise<ServerSettings> {
  const { startedWith } = await readStartupState(sql, server.id)
  const zoneOf = (environment: Readonly<Record<string, string>>) => environment[TIME_ZONE_VARIABLE] ?? null
  const saved = zoneOf(startedWithOf(server.spec).environment)
  return {
    name: server.name,
    description: server.description,
    ...operationOf(server),
    needsRestart: startedWith !== null && zoneOf(startedWith.environment) !== saved,
  }
}

/** Reads the settings of a server for somebody who may know that it exists. */
export async function readSettings(
  { db }: Pick<Context, 'db'>,
  { caller, serverId }: { caller: Caller; serverId: string },
): Promise<{ ok: true; settings: ServerSettings } | { ok: false; code: 'NOT_FOUND' }> {
  const access = await accessOf(db, caller, serverId)
  return access ? { ok: true, settings: await shownSettings(db, access.server) } : { ok: false, code: 'NOT_FOUND' }
}
