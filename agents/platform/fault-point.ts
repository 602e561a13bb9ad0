/** Marks a place where a crash matters. Does nothing unless the program under test was told otherwise. */
export type FaultPoint = (name: FaultName) => Promise<void>

/** Every fault point of the agent above its drivers; the fault tests walk this list. */
export const FAULT_NAMES = [
  'create.folders',
  'create.identity',
  'install.accepted',
  'install.recorded',
  'install.spawned',
  'install.exited',
  'start.accepted',
  'start.recorded',
  'start.spawned',
  'stop.accepted',
  'stop.recorded',
  'stop.signalled',
  'exit.observed',
  'command.finished',
  'delete.accepted',
  'delete.ended',
  'delete.renamed',
  'delete.removed',
] as const

/**
 * Fault points of the Docker driver alone: its record of a task, and before and after each thing that it asks of the engine.
 */
export const DOCKER_FAULT_NAMES = [
  'docker.claimed',
  'docker.creating',
  'docker.created',
  'docker.starting',
  'docker.started',
  'docker.recorded',
  'docker.attaching',
  'docker.attached',
  'docker.signalling',
  'docker.signalled',
  'docker.removing',
  'docker.removed',
] as const

/** Fault points of a certificate's order by ACME: what is on disk and what the authority knows differ there. */
export const ACME_FAULT_NAMES = ['acme.key', 'acme.account', 'acme.ordered', 'acme.finalized', 'acme.stored'] as const
export type FaultName =
  (typeof FAULT_NAMES)[number] | (typeof DOCKER_FAULT_NAMES)[number] | (typeof ACME_FAULT_NAMES)[number]

export interface FaultPlanLike {
  readonly name: string
  readonly visit: number
  readonly action: 'kill' | 'throw' | 'delay'
  readonly delayMs: number
}

export const noFaults: FaultPoint = () => Promise.resolve()

/** Acts on the n-th visit of the named point: ends the process as kill -9 does, throws, or waits. */
export const faultPointsOf = (plan: FaultPlanLike | undefined): FaultPoint => {
  if (plan === undefined) return noFaults
  let visits = 0
  return async (name) => {
    if (name !== plan.name) return
    visits += 1
    if (visits !== plan.visit) return
    if (plan.action === 'kill') process.kill(process.pid, 'SIGKILL')
    if (plan.action === 'throw') throw new Error(`fault ${name}`)
    await new Promise((resolve) => setTimeout(resolve, plan.delayMs))
  }
}
