import type { FaultPlan } from './fault-plan.ts'

/** Marks a place where a crash matters. Does nothing unless a test injects a fault. */
export type FaultPoint<Name extends string = string> = (name: Name) => Promise<void>

export const noFaults: FaultPoint = () => Promise.resolve()

/** The fault points of one process. The planned one ends it as `kill -9` does, throws, waits, or stops it, once. */
export const faultPointsOf = (plan: FaultPlan | undefined): FaultPoint => {
  if (plan === undefined) return noFaults
  let visits = 0
  return async (name) => {
    if (name !== plan.name) return undefined
    visits += 1
    if (visits !== plan.visit) return undefined
    if (plan.action === 'kill') process.kill(process.pid, 'SIGKILL')
    if (plan.action === 'throw') throw new Error(`fault point ${name}`)
    if (plan.action === 'stop') return void process.kill(process.pid, 'SIGSTOP')
    await new Promise((resolve) => setTimeout(resolve, plan.delayMs))
    return undefined
  }
}
