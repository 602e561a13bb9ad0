import type { Context } from '../../platform/context.ts'
import type { DeliverTogether } from '../../platform/outbox-relay.ts'
import { dueAmong } from '../store/due-servers.ts'

type Provision = NonNullable<DeliverTogether['provision-server']>

/**
 * Queues tasks, with `add`, for the servers that may need a step now. A task for any other server, whose node is unreachable or
 * already has a command, would do nothing; the reconcile loop finds that server when this changes.
 */
export const whereDue =
  ({ db, clock }: Pick<Context, 'db' | 'clock'>, add: Provision): Provision =>
  async (messages) => {
    const due = await dueAmong(
      db,
      messages.map(({ payload }) => payload.serverId),
      clock.now(),
    )
    const needed = messages.filter(({ payload }) => due.has(payload.serverId))
    if (needed.length > 0) await add(needed)
  }
