import { findDueServers } from '../store/due-servers.ts'
import { reconcileServer, type ProvisioningDeps } from './apply-plan.ts'

/** How often everything is compared, whatever nudges were lost. */
const INTERVAL_MS = 5_000
const BATCH = 200

export type ReconcileLoop = {
  /** Looks at one server soon. Lost when the process dies: the next round sees it. */
  nudge(serverId: string, requestId?: string): void
  close(): Promise<void>
}

/** One round over all servers that may need a step, or over those of one node. Returns how many commands it planned. */
export async function reconcileAll(deps: ProvisioningDeps, nodeId?: string): Promise<number> {
  let planned = 0
  for (const { id, requestId } of await findDueServers(deps.db, deps.clock.now(), {
    limit: BATCH,
    ...(nodeId ? { nodeId } : {}),
  })) {
    try {
      const plan = await reconcileServer(id, requestId, deps)
      if (plan.do === 'step') planned += 1
    } catch (error) {
      deps.log.error({ serverId: id, reason: String(error) }, 'a server could not be reconciled')
    }
  }
  return planned
}

/** Rounds every few seconds and after nudges. Several processes may run it: rows are locked one at a time. */
export function startReconcileLoop(deps: ProvisioningDeps, eachRound: () => Promise<void>): ReconcileLoop {
  let closed = false
  let work: Promise<void> = Promise.resolve()
  const enqueueWork = (run: () => Promise<unknown>) => {
    work = work.then(async () => {
      if (closed) return
      try {
        await run()
      } catch (error) {
        deps.log.error({ reason: String(error) }, 'a round of the reconcile loop failed')
      }
    })
  }
  const round = async () => {
    await eachRound()
    await reconcileAll(deps)
  }
  let waiting = false
  const timer = setInterval(() => {
    if (waiting) return
    waiting = true
    enqueueWork(async () => {
      waiting = false
      await round()
    })
  }, INTERVAL_MS)
  enqueueWork(round)
  return {
    nudge: (serverId, requestId = '') => enqueueWork(() => reconcileServer(serverId, requestId, deps)),
    close: async () => {
      closed = true
      clearInterval(timer)
      await work
    },
  }
}
