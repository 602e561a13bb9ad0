import type { OutboxPayload } from '../../platform/outbox-topics.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import { settleOrder } from './settle-order.ts'

/** How long the queue has to settle an order after its installation ended. */
const QUEUE_GRACE_MS = 60_000
const BATCH = 100

type Row = { server_id: string; state: 'finished' | 'failed'; result_code: string | null }

/**
 * Settles orders and test servers whose installation ended but whose task was lost by the queue: the commands hold the
 * outcome. Otherwise their hold would expire, and a delivered server would be removed. Returns the number found;
 * idempotent.
 */
export async function settleDelivered(context: MoneyContext): Promise<number> {
  const rows = await context.db.query<Row>(
    `select distinct on (c.server_id) c.server_id, c.state, c.result_code from control.commands c
     where c.kind = 'install' and c.state in ('finished', 'failed') and c.finished_at <= $1
       and (exists (select from control.orders o where o.server_id = c.server_id and o.state = 'provisioning')
         or exists (select from control.test_servers t join control.servers s on s.id = t.server_id
           where t.server_id = c.server_id and t.settled_at is null and s.desired = 'installed' and s.deleted_at is null))
     order by c.server_id, c.finished_at limit $2`,
    [new Date(context.clock.now() - QUEUE_GRACE_MS), BATCH],
  )
  for (const row of rows) {
    const outcome = outcomeOf(row)
    try {
      await settleOrder(context, outcome)
      context.log.warn({ serverId: outcome.serverId }, 'an order was settled whose task was lost')
    } catch (error) {
      context.log.error({ serverId: outcome.serverId, reason: String(error) }, 'a delivered order could not be settled')
    }
  }
  return rows.length
}

const outcomeOf = ({ server_id: serverId, state, result_code: code }: Row): OutboxPayload<'order-settle'> =>
  state === 'finished'
    ? { serverId, outcome: 'installed', reason: '' }
    : { serverId, outcome: 'failed', reason: code || 'INSTALL_FAILED' }
