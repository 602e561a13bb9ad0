import { expect } from 'vitest'

import type { ServerState } from '../../src/domain/servers/server-lifecycle.ts'

/** The state of one server after a fault, read from the actual sources. */
export interface AfterFault {
  /** Running programs of the server, counted at the runtime and not in any record. */
  readonly running: number
  /** How often its program actually began, and how often that was requested. */
  readonly begun: number
  readonly asked: number
  /** The state last reported to the control plane. */
  readonly told: ServerState | undefined
  readonly suspended: boolean
  /** Ids of the sent commands, and of every response. */
  readonly commands: readonly string[]
  readonly answers: readonly { readonly commandId: string; readonly ok: boolean }[]
}

const ALIVE: readonly (ServerState | undefined)[] = ['starting', 'running', 'stopping']

/** S-1 to S-5 of the server invariants. */
export const expectInvariants = (after: AfterFault): void => {
  expect(after.running, 'S-1: at most one program of a server runs').toBeLessThanOrEqual(1)
  expect(after.begun, 'S-2, S-4: the program begins as often as it was asked for').toBe(after.asked)
  expect(ALIVE.includes(after.told), 'S-3: the told state is what runs').toBe(after.running === 1)
  for (const id of after.commands) {
    const answers = after.answers.filter(({ commandId }) => commandId === id)
    expect(answers.length, `S-4: command ${id} has an end`).toBeGreaterThan(0)
    expect(new Set(answers.map(({ ok }) => ok)).size, `S-4: command ${id} has one end`).toBe(1)
  }
  if (after.suspended) expect(after.running, 'S-5: nothing of a suspended server runs').toBe(0)
}
