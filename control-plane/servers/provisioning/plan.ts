import type { ServerState } from '#domain/servers/server-lifecycle.ts'

/** The desired state of a server. */
export type DesiredServer = {
  readonly id: string
  readonly generation: number
  readonly desired: 'installed' | 'deleted'
  readonly power: 'running' | 'stopped'
  readonly suspended: boolean
  /** Its paid time has ended: it is not started, and stopping it is left to the billing rules. */
  readonly expired: boolean
  /** Without it only people start the server. */
  readonly autoStart: boolean
}

/** The state last reported by its node. */
export type ObservedState = {
  readonly state: ServerState
  readonly generation: number
  readonly installed: boolean
}

/** An open command: its effect is pending. */
export type CommandInFlight = {
  readonly kind: 'install' | 'reinstall' | 'update' | 'power' | 'delete'
  readonly generation: number
}

/** Failed commands of one kind for the current generation. */
export type PastFailure = {
  readonly kind: CommandInFlight['kind']
  readonly count: number
  readonly lastAtMs: number
}

/** The next step that a node has to take for one server. */
export type Step =
  | { readonly kind: 'install' }
  | { readonly kind: 'update' }
  | { readonly kind: 'power'; readonly action: 'start' | 'stop' }
  | { readonly kind: 'delete' }

/** `nothing` contains the reason, for the log and for staff. */
export type Plan =
  | { readonly do: 'step'; readonly step: Step }
  | {
      readonly do: 'nothing'
      readonly because:
        | 'converged'
        | 'in-flight'
        | 'working'
        | 'node-unreachable'
        | 'node-behind'
        | 'deleted'
        | 'backing-off'
        | 'needs-a-person'
    }
