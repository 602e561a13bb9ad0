import type { ServerState } from '#domain/servers/server-lifecycle.ts'

/** The desired state of a server. */
export type DesiredServer = {
  readonly id: string
  readonly generation: number
  readonly desired: 'installed' | 'deleted'
  readonly power: 'running' | 'stopped'
  readonly suspended: boolean
  /** Its paid time is over: it is not started, and what runs is left to the billing rules. */
  readonly expired: boolean
}

/** The state that its node reported last. */
export type ObservedState = {
  readonly state: ServerState
  readonly generation: number
  readonly installed: boolean
}

/** A command that has no end yet: its effect is on the way. */
export type CommandInFlight = {
  readonly kind: 'install' | 'reinstall' | 'update' | 'power' | 'delete'
  readonly generation: number
}

/** Failed commands of one kind for the present generation. */
export type PastFailure = {
  readonly kind: CommandInFlight['kind']
  readonly count: number
  readonly lastAtMs: number
}

/** The next thing to ask of a node for one server. */
export type Step =
  | { readonly kind: 'install' }
  | { readonly kind: 'update' }
  | { readonly kind: 'power'; readonly action: 'start' | 'stop' }
  | { readonly kind: 'delete' }

/** `nothing` carries why, for the log and for staff. */
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
