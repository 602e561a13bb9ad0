import { afterPage, startRun, type DueRun } from '#domain/billing/due-run.ts'
import { findDueServers } from '../store/due-servers.ts'
import { reconcileServer, type ProvisioningDeps } from './apply-plan.ts'

/** How often everything is reconciled, even if nudges were lost. */
const INTERVAL_MS = 5_000

export type ReconcileLoop = {
  /** Starts an extra round soon. */
  round(): void
  close(): Promise<void>
}

/**
 * One round over all servers that may need a step, or over those of one node, page by page, so that any number of
 * blocked servers does not delay the others. Returns the number of planned commands.
 */
export async function reconcileAll(deps: ProvisioningDeps, nodeId?: string): Promise<number> {
  let planned = 0
  let run: DueRun = startRun(deps.clock.now())
  while (!run.isDone) {
    const page = await findDueServers(deps.db, run, nodeId)
    for (const server of page) if (await isPlanned(deps, server)) planned += 1
    run = afterPage(
      run,
      page.map(({ id }) => id),
    )
  }
  return planned
}

async function isPlanned(
  deps: ProvisioningDeps,
  { id, requestId }: { id: string; requestId: string },
): Promise<boolean> {
  try {
    return (await reconcileServer(id, requestId, deps)).do === 'step'
  } catch (error) {
    deps.log.error({ serverId: id, reason: String(error) }, 'a server could not be reconciled')
    return false
  }
}

/** Rounds every few seconds and on demand. Several processes may run it: rows are locked one at a time. */
export function startReconcileLoop(deps: ProvisioningDeps, eachRound: () => Promise<void>): ReconcileLoop {
  let closed = false
  let running: Promise<void> | undefined
  let again = false
  const run = async () => {
    try {
      await eachRound()
      await reconcileAll(deps)
    } catch (error) {
      deps.log.error({ reason: String(error) }, 'a round of the reconcile loop failed')
    }
  }
  const round = () => {
    if (closed) return
    if (running) {
      again = true
      return
    }
    running = run().finally(() => {
      running = undefined
      if (!again) return
      again = false
      round()
    })
  }
  const timer = setInterval(round, INTERVAL_MS)
  round()
  return {
    round,
    close: async () => {
      closed = true
      clearInterval(timer)
      await running
    },
  }
}
