import type { ServerSize } from '#contracts/http/modification.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { accessOf } from '../nodes/server-access.ts'
import type { Sql } from '../platform/postgres.ts'
import { readRenewable } from '../renewals/lock-renewable.ts'
import { readServers } from '../store/server-store.ts'

type Read =
  { readonly ok: true; readonly size: ServerSize } | { readonly ok: false; readonly code: 'NOT_FOUND' | 'FORBIDDEN' }

/** The size of a server and what fixes it, for its owner. */
export async function readSize(sql: Sql, { caller, serverId }: { caller: Caller; serverId: string }): Promise<Read> {
  if (!(await accessOf(sql, caller, serverId))) return { ok: false, code: 'NOT_FOUND' }
  const server = await readRenewable(sql, serverId)
  const [record] = await readServers(sql, 's.id = $1', [serverId])
  if (!server || !record) return { ok: false, code: 'NOT_FOUND' }
  if (server.ownerId !== caller.userId) return { ok: false, code: 'FORBIDDEN' }
  const { serviceId, packageId, cpuPercent, memoryMiB: ramMiB, storageMiB } = record
  return {
    ok: true,
    size: { serviceId, packageId, isTest: server.isTest, resources: { cpuPercent, ramMiB, storageMiB } },
  }
}
