import { testWorker } from './test-worker.ts'

/**
 * The first of the users that servers of this test file may run as. Test files run side by side, and whoever ends a task
 * ends what its user runs: a range of its own for each worker keeps them apart.
 */
export const ownUsers = (): number => 300_000 + 10_000 * testWorker()

/**
 * The same for users of containers: no range of the process driver's, which ends what its servers leave behind by user. The
 * first is the test's own, those from `agentUsers` on are its agent's.
 */
export const ownContainerUsers = (): { test: number; agentUsers: number } => {
  const first = 260_000 + 2_000 * testWorker()
  return { test: first, agentUsers: first + 1_000 }
}
