import type { ServerSize } from '#contracts/http/modification.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { ownServer } from '../paid-time/own-server.ts'

type Read =
  { readonly ok: true; readonly size: ServerSize } | { readonly ok: false; readonly code: 'NOT_FOUND' | 'FORBIDDEN' }

/** The current size of a server and its limits, for its owner. */
export async function readSize(sql: Sql, { caller, serverId }: { caller: Caller; serverId: string }): Promise<Read> {
  const own = await ownServer(sql, caller, serverId)
  if (!own.ok) return own
  const { server, record } = own
  const { serviceId, packageId, cpuPercent, memoryMiB: ramMiB, storageMiB } = record
  return {
    ok: true,
    size: { serviceId, packageId, isTest: server.isTest, resources: { cpuPercent, ramMiB, storageMiB } },
  }
}
