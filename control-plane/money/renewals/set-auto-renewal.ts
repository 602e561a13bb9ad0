import type { Caller } from '#contracts/internal-api/calls.ts'
import { recordActivity } from '../../messages/notices/notify-user.ts'
import { accessOf } from '../../servers/access/server-access.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import { lockRenewable } from '../paid-time/lock-renewable.ts'
import type { RenewRefusal } from './renew-server.ts'

/** Switches the automatic renewal of a server on or off for its owner. Idempotent. */
export function setAutoRenewal(
  context: MoneyContext,
  { caller, serverId, enabled }: { caller: Caller; serverId: string; enabled: boolean },
): Promise<{ ok: true } | RenewRefusal> {
  return context.db.transaction(async (tx): Promise<{ ok: true } | RenewRefusal> => {
    if (!(await accessOf(tx, caller, serverId))) return { ok: false, code: 'NOT_FOUND' }
    const server = await lockRenewable(tx, serverId)
    if (!server) return { ok: false, code: 'NOT_FOUND' }
    if (server.ownerId !== caller.userId) return { ok: false, code: 'FORBIDDEN' }
    if (server.isTest) return { ok: false, code: 'TEST_SERVER' }
    if (server.autoRenew === enabled) return { ok: true }
    await tx.query('update control.servers set auto_renew = $2 where id = $1', [serverId, enabled])
    const type = enabled ? 'server.auto-renewal-on' : 'server.auto-renewal-off'
    const { userId, address, way } = caller
    await recordActivity(tx, context, { userId, serverId, address, way, type, status: 'success' })
    return { ok: true }
  })
}
