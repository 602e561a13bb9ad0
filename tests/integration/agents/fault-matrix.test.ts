import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { FAULT_NAMES, type FaultName, type FaultPoint } from '../../../agents/platform/fault-point.ts'
import { nextId, SERVER_ID } from '../../factories/server-spec.ts'
import { expectInvariants } from '../../support/server-invariants.ts'
import { ServerRig } from '../../support/server-rig.ts'
import { waitFor } from '../../support/wait-for.ts'

// Faults 19 and 41 on the fake runtime: every point x {kill, throw, delay}, at each of its first visits. The same points
// on the process runtime, with a real kill -9, are in agent-faults.test.ts.
const ACTIONS = ['kill', 'throw', 'delay'] as const
type Action = (typeof ACTIONS)[number]
const SCENARIO = [
  'install',
  'start',
  'stop',
  'start',
  'suspend',
  'resume',
  'start',
  'reinstall',
  'wipe',
  'delete',
] as const
type Step = (typeof SCENARIO)[number]

let rig: ServerRig
let killed: boolean
beforeEach(() => {
  rig = new ServerRig()
  killed = false
})
afterEach(() => rig.remove())

/** Acts once, at the n-th visit. Killed, it never comes back, and the test starts the next agent. */
const planned = (name: FaultName, visit: number, action: Action): { point: FaultPoint; visits: () => number } => {
  let visits = 0
  const point: FaultPoint = async (at) => {
    if (at !== name) return
    visits += 1
    if (visits !== visit) return
    if (action === 'throw') throw new Error(`fault ${name}`)
    if (action === 'delay') {
      await new Promise<void>((resolve) => void rig.timers.after(5_000, resolve))
      return
    }
    killed = true
    await new Promise(() => {})
  }
  return { point, visits: () => visits }
}

const given: { id: string; step: Step; ok: boolean }[] = []
let generation: number

const send = (id: string, step: Step): void => {
  const fields = { id, serverId: SERVER_ID, generation, requestId: 'r' }
  const spec = rig.spec({ generation, suspended: step === 'suspend' })
  const command =
    step === 'delete'
      ? ({ ...fields, kind: 'delete', tombstone: true } as const)
      : step === 'suspend' || step === 'resume'
        ? ({ ...fields, kind: 'update', spec } as const)
        : step === 'start' || step === 'stop'
          ? ({ ...fields, kind: 'power', action: step, spec } as const)
          : step === 'wipe'
            ? ({ ...fields, kind: 'reinstall', wipe: true, spec } as const)
            : ({ ...fields, kind: step, spec } as const)
  void rig.manager.execute(command).catch(() => {})
}

/** Gives a command until it is answered, again to every new agent: what the control plane does. */
const command = async (step: Step): Promise<boolean> => {
  const id = nextId()
  send(id, step)
  await waitFor(`${step} to be answered`, async () => {
    if (killed) {
      killed = false
      await rig.agent()
      send(id, step)
    }
    await rig.timers.advance(1_000)
    return rig.result(id) !== undefined
  })
  const ok = rig.result(id)?.ok === true
  given.push({ id, step, ok })
  return ok
}

/** A failed command is asked for once more under a new id, as the reconcile loop does. */
const reach = async (step: Step): Promise<void> => {
  if (await command(step)) return
  expect(await command(step), `${step} once more`).toBe(true)
}

const begunServers = (): number => rig.world.begun.filter((task) => !task.includes('-i')).length
const settled = async (): Promise<void> => {
  // An act that was left to itself (an end that was observed, a start that goes on) has its time.
  await rig.timers.advance(20_000)
  if (!killed) return
  // It was killed after its answer, on what it then did by itself.
  killed = false
  await rig.agent()
  await rig.timers.advance(20_000)
}

const check = (asked: number, suspended = false): void => {
  const programs = [...rig.world.tasks.values()].filter((task) => task !== 'ruled-out' && task.exit === undefined)
  const states = rig.events.flatMap((event) => (event.kind === 'server.state' ? [event.server.state] : []))
  expectInvariants({
    running: programs.length,
    begun: begunServers(),
    asked,
    told: rig.state() ?? states.at(-1),
    suspended,
    commands: given.map(({ id }) => id),
    answers: rig.events.flatMap((event) => (event.kind === 'command.finished' ? [event] : [])),
  })
}

describe.each(ACTIONS)('%s at every fault point', (action) => {
  for (const name of FAULT_NAMES) {
    const visits = name === 'command.finished' ? [1, 2, 3, 4, 5] : name === 'install.wiped' ? [1] : [1, 2]
    for (const visit of visits) {
      it(`${name}, visit ${visit} [A4, S-1 to S-5]`, async () => {
        given.length = 0
        generation = 1
        const fault = planned(name, visit, action)
        await rig.agent({ faults: fault.point })
        let starts = 0
        for (const step of SCENARIO) {
          if (step === 'delete' || step === 'suspend' || step === 'resume') generation += 1
          if (step === 'reinstall') await reach('stop')
          await reach(step)
          if (step === 'start') starts += 1
          await settled()
          const failedAfterBeginning = given.filter((entry) => entry.step === 'start' && !entry.ok).length
          check(Math.max(starts, Math.min(begunServers(), starts + failedAfterBeginning)), step === 'suspend')
        }
        expect(fault.visits(), 'the point was reached').toBeGreaterThan(0)
        expect(rig.manager.all()).toEqual([])
      })
    }
  }
})
