import type { Dependencies } from './dependencies.ts'
import { reportLostNodes } from './servers/nodes/session-lease.ts'
import { endShares } from './servers/sharing/end-shares.ts'
import { startReconcileLoop } from './servers/provisioning/reconcile-loop.ts'

/** Reconciles everything periodically, reports lost nodes, and removes shares that have ended. */
export async function startReconciler({ context, bus, metrics, shutdown }: Dependencies): Promise<void> {
  const loop = startReconcileLoop({ ...context, metrics }, async () => {
    await reportLostNodes(context)
    await endShares(context)
    await measure()
  })
  const measure = async () => {
    const [row] = await context.db.query<{ orphans: bigint }>('select count(*) as orphans from control.orphan_servers')
    metrics.orphans.set(Number(row?.orphans ?? 0))
  }
  const leave = [
    bus.onGap(() => loop.round()),
    bus.onEvent(({ topic }) => {
      if (topic === 'nudge') loop.round()
    }),
  ]
  shutdown.add('reconcile loop', async () => {
    for (const end of leave) end()
    await loop.close()
  })
}
