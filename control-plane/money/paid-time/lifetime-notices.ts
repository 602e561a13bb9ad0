import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'

export type LifetimeNotice = 'remind-7' | 'remind-3' | 'remind-1' | 'renewal-missing' | 'renewal-failed' | 'expired'

/** Records a notice about the end of a paid time; false if it was sent before. */
export async function isFirst(
  tx: Sql,
  { clock }: Pick<Context, 'clock'>,
  notice: { serverId: string; kind: LifetimeNotice; expiresAtMs: number },
): Promise<boolean> {
  const rows = await tx.query(
    `insert into control.lifetime_notices (server_id, kind, period, created_at) values ($1, $2, $3, $4)
     on conflict do nothing returning 1`,
    [notice.serverId, notice.kind, new Date(notice.expiresAtMs), new Date(clock.now())],
  )
  return rows.length === 1
}
