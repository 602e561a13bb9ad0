import type { Context } from '../../platform/context.ts'
import type { DeliverTogether } from '../../platform/outbox-relay.ts'
import { dueAmong } from '../store/due-servers.ts'

type Provision = NonNullable<DeliverTogether['provision-server']>

/**
 * Makes tasks, with `add`, for those of many servers that may need a step now. The others, whose node is away or has a command already, are
 * found by the reconcile loop when that changes: a task of theirs would end without doing anything.
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
