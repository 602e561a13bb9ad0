import { freeEndMs } from '#domain/billing/renewal.ts'
import { recordActivity } from '../../messages/notices/notify-user.ts'
import { isFirst } from '../paid-time/lifetime-notices.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import { enqueue } from '../../platform/outbox-writer.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { RenewableRow } from '../paid-time/lock-renewable.ts'
import { changeSpec, setDesiredPower } from '../../servers/store/server-store.ts'

const EXPIRED = { type: 'server.expired', status: 'success', doneBy: 'system' } as const

/** When renewals begin that remain in force although the time before them may end: they are refunded separately. */
async function standingStarts(tx: Sql, serverId: string): Promise<number[]> {
  const rows = await tx.query<{ period_start: Date }>(
    'select period_start from control.renewals where server_id = $1 and withdrawn_at is null',
    [serverId],
  )
  return rows.map(({ period_start: start }) => start.getTime())
}

/**
 * Shortens a server's paid time, on its locked row. If the new end has passed, the server stops, is kept as after any
 * expiry, and is deleted 72 h later; the lifetime run then finds the notice already sent. It never extends: an expired
 * server stays expired.
 */
export async function endPaidTime(
  tx: Sql,
  context: MoneyContext,
  { server, endsAtMs: wantedMs, requestId }: { server: RenewableRow; endsAtMs: number; requestId: string },
): Promise<void> {
  const { id: serverId, ownerId: userId } = server
  if (server.expiresAtMs <= wantedMs) return
  const endsAtMs = freeEndMs(wantedMs, await standingStarts(tx, serverId))
  await tx.query('update control.servers set expires_at = $2, auto_renew = false where id = $1', [
    serverId,
    new Date(endsAtMs),
  ])
  if (endsAtMs <= context.clock.now()) {
    await isFirst(tx, context, { serverId, kind: 'expired', expiresAtMs: endsAtMs })
    if (server.desiredPower === 'running') {
      await setDesiredPower(tx, serverId, 'stopped')
      await tx.query('update control.servers set stopped_by_expiry = true where id = $1', [serverId])
    }
    await recordActivity(tx, context, { userId, serverId, ...EXPIRED })
  }
  await changeSpec(tx, serverId, {})
  await enqueue(tx, context, { topic: 'provision-server', payload: { serverId }, requestId })
}
