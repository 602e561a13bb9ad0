import { isAlive } from '#domain/servers/server-lifecycle.ts'
import type { CommandInFlight, DesiredServer, ObservedState, PastFailure, Plan, Step } from './plan.ts'

const step = (value: Step): Plan => ({ do: 'step', step: value })
const nothing = (because: Extract<Plan, { do: 'nothing' }>['because']): Plan => ({ do: 'nothing', because })

export type ReconcileInput = {
  readonly desired: DesiredServer
  readonly observed: ObservedState
  readonly nodeReachable: boolean
  /** Its node has yet to send events about who stopped or started it (SPEC.md A24). */
  readonly nodeBehind: boolean
  readonly inFlight: readonly CommandInFlight[]
  readonly failures: readonly PastFailure[]
  readonly nowMs: number
}

const FIRST_BACKOFF_MS = 5_000
const MAX_BACKOFF_MS = 300_000

/** Milliseconds that a step waits after its `count`-th failure. */
export const stepBackoffMs = (count: number): number => Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (count - 1))

/**
 * Compares a server's desired state with its node's report, and returns the single next step, or the reason for none.
 * Repeated after each change, it reaches the desired state in at most three steps (stop, new generation, start). It
 * never starts a suspended or expired server, ignores a desired power state that its node's backlog may change, never
 * orders a second installation while one is pending, and leaves a crashed, failed or unknown server to a person: a
 * crash is the agent's to restart, and only a node that lost its record gets the specification again. Architecture
 * section 5.
 */
export function reconcile(input: ReconcileInput): Plan {
  const { desired, observed, nodeReachable, inFlight } = input
  const plan =
    desired.desired === 'deleted'
      ? planDeletion(observed, nodeReachable, inFlight)
      : planPresent(desired, observed, input)
  return plan.do === 'step' ? unlessItFailed(plan.step, input) : plan
}

function planPresent(
  desired: DesiredServer,
  observed: ObservedState,
  { nodeReachable, nodeBehind, inFlight }: Pick<ReconcileInput, 'nodeReachable' | 'nodeBehind' | 'inFlight'>,
): Plan {
  if (!nodeReachable) return nothing('node-unreachable')
  if (inFlight.length > 0) return nothing('in-flight')
  // The node lost its record of the server and rebuilt it from the little that it knew.
  if (observed.state === 'unknown' && observed.generation === 0) return step({ kind: 'update' })
  return observed.installed ? planInstalled(desired, observed, nodeBehind) : planInstallation(observed)
}

/** A failing step is retried ever more slowly; a failed installation is refunded and never retried. */
function unlessItFailed(planned: Step, { failures, nowMs }: ReconcileInput): Plan {
  const failure = failures.find(({ kind }) => kind === planned.kind)
  if (!failure) return step(planned)
  if (planned.kind === 'install') return nothing('needs-a-person')
  return nowMs < failure.lastAtMs + stepBackoffMs(failure.count) ? nothing('backing-off') : step(planned)
}

function planDeletion(observed: ObservedState, nodeReachable: boolean, inFlight: readonly CommandInFlight[]): Plan {
  if (observed.state === 'deleted') return nothing('deleted')
  if (!nodeReachable) return nothing('node-unreachable')
  // A deletion does not wait for other commands: it makes them pointless.
  if (inFlight.some((command) => command.kind === 'delete')) return nothing('in-flight')
  return step({ kind: 'delete' })
}

function planInstallation(observed: ObservedState): Plan {
  if (observed.state === 'creating') return step({ kind: 'install' })
  if (observed.state === 'installing') return nothing('working')
  // A failed installation is refunded; the customer can order again.
  return nothing('needs-a-person')
}

function planInstalled(desired: DesiredServer, observed: ObservedState, nodeBehind: boolean): Plan {
  const { state } = observed
  if (desired.suspended && (state === 'starting' || state === 'running')) return step({ kind: 'power', action: 'stop' })
  if (state === 'unknown' || state === 'deleted' || state === 'deleting') return nothing('needs-a-person')
  if (state === 'installing' || state === 'creating') return nothing('working')
  if (observed.generation < desired.generation) return step({ kind: 'update' })
  if (nodeBehind) return nothing('node-behind')
  const wantsToRun = desired.power === 'running' && !desired.suspended
  if (wantsToRun && desired.autoStart && !desired.expired && (state === 'offline' || state === 'healthy'))
    return step({ kind: 'power', action: 'start' })
  if (!wantsToRun && isAlive(state) && state !== 'stopping') return step({ kind: 'power', action: 'stop' })
  return nothing(state === 'stopping' || state === 'starting' ? 'working' : 'converged')
}
