import { testWorker } from './test-worker.ts'

/**
 * The first of the users for the servers of this test file. Test files run in parallel, and ending a task ends all
 * processes of its user: a separate range for each worker keeps them apart.
 */
export const ownUsers = (): number => 300_000 + 10_000 * testWorker()

/**
 * The same for users of containers, outside the ranges of the process driver, which ends processes by user. The first
 * is the test's own, those from `agentUsers` on are its agent's.
 */
export const ownContainerUsers = (): { test: number; agentUsers: number } => {
  const first = 260_000 + 2_000 * testWorker()
  return { test: first, agentUsers: first + 1_000 }
}
