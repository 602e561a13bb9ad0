import type { FaultPlan } from '#platform/fault-plan.ts'
import type { FaultPoint } from './context.ts'

/** The fault points of a test run. Without a plan every point is a no-op. */
export function faultPointsFrom(plan: FaultPlan | undefined): FaultPoint {
  if (!plan) return async () => {}
  let visits = 0
  return async (name) => {
    if (name !== plan.name) return
    visits += 1
    if (visits !== plan.visit) return
    if (plan.action === 'kill') process.kill(process.pid, 'SIGKILL')
    if (plan.action === 'throw') throw new Error(`fault point ${name}`)
    await new Promise((resolve) => setTimeout(resolve, plan.delayMs))
  }
}
