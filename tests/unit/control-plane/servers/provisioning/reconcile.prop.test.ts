import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAlive, SERVER_STATES } from '#domain/servers/server-lifecycle.ts'
import type {
  CommandInFlight,
  DesiredServer,
  ObservedState,
  Step,
} from '../../../../../control-plane/servers/provisioning/plan.ts'
import {
  reconcile,
  stepBackoffMs,
  type ReconcileInput,
} from '../../../../../control-plane/servers/provisioning/reconcile.ts'

const ID = '00000000-0000-7000-8000-000000000000'
const desiredServer: fc.Arbitrary<DesiredServer> = fc.record({
  id: fc.constant(ID),
  generation: fc.integer({ min: 1, max: 3 }),
  desired: fc.constantFrom('installed', 'deleted'),
  power: fc.constantFrom('running', 'stopped'),
  suspended: fc.boolean(),
  expired: fc.boolean(),
  autoStart: fc.boolean(),
})
const observedState: fc.Arbitrary<ObservedState> = fc.record({
  state: fc.constantFrom(...SERVER_STATES),
  generation: fc.integer({ min: 0, max: 4 }),
  installed: fc.boolean(),
})
const command: fc.Arbitrary<CommandInFlight> = fc.record({
  kind: fc.constantFrom('install', 'reinstall', 'update', 'power', 'delete'),
  generation: fc.integer({ min: 1, max: 3 }),
})
const input: fc.Arbitrary<ReconcileInput> = fc.record({
  desired: desiredServer,
  observed: observedState,
  nodeReachable: fc.boolean(),
  nodeBehind: fc.boolean(),
  inFlight: fc.array(command, { maxLength: 2 }),
  failures: fc.array(
    fc.record({
      kind: fc.constantFrom('install', 'update', 'power', 'delete'),
      count: fc.integer({ min: 1, max: 20 }),
      lastAtMs: fc.integer({ min: 0, max: 1_000_000 }),
    }),
    { maxLength: 2 },
  ),
  nowMs: fc.integer({ min: 0, max: 2_000_000 }),
})
const still = (desired: DesiredServer, observed: ObservedState): ReconcileInput => ({
  desired,
  observed,
  nodeReachable: true,
  nodeBehind: false,
  inFlight: [],
  failures: [],
  nowMs: 0,
})

/** The state of a node that does as it is told, after a step. */
function after(step: Step, observed: ObservedState, desired: DesiredServer): ObservedState {
  if (step.kind === 'install') return { state: 'offline', generation: desired.generation, installed: true }
  if (step.kind === 'update') return { ...observed, generation: desired.generation }
  if (step.kind === 'delete') return { ...observed, state: 'deleted', installed: false }
  return { ...observed, state: step.action === 'start' ? 'running' : 'offline' }
}

describe('reconcile', () => {
  it('reaches what is wanted in at most three steps from any observed state, and then stays', () => {
    fc.assert(
      fc.property(desiredServer, observedState, (desired, start) => {
        let observed = start
        for (let steps = 0; steps < 3; steps += 1) {
          const plan = reconcile(still(desired, observed))
          if (plan.do === 'nothing') break
          observed = after(plan.step, observed, desired)
        }
        const end = reconcile(still(desired, observed))
        expect(end.do).toBe('nothing')
        if (end.do === 'nothing' && end.because === 'converged') {
          expect(observed.generation).toBeGreaterThanOrEqual(desired.generation)
          if (desired.suspended) expect(isAlive(observed.state)).toBe(false)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('never starts a suspended, expired or unwanted server, or one that only people start', () => {
    fc.assert(
      fc.property(input, (given) => {
        const plan = reconcile(given)
        if (plan.do !== 'step' || plan.step.kind !== 'power' || plan.step.action !== 'start') return
        expect(given.desired).toMatchObject({
          suspended: false,
          expired: false,
          autoStart: true,
          power: 'running',
          desired: 'installed',
        })
      }),
      { numRuns: 5_000 },
    )
  })

  it('never asks for a second installation: not while a command is open, not after one failed, not of what is installed', () => {
    fc.assert(
      fc.property(input, (given) => {
        const plan = reconcile(given)
        if (plan.do !== 'step' || plan.step.kind !== 'install') return
        expect(given.inFlight).toEqual([])
        expect(given.failures.some(({ kind }) => kind === 'install')).toBe(false)
        expect(given.observed).toMatchObject({ installed: false, state: 'creating' })
      }),
      { numRuns: 5_000 },
    )
  })

  it('A12 asks nothing of a node that is not reachable', () => {
    fc.assert(
      fc.property(input, (given) => {
        expect(reconcile({ ...given, nodeReachable: false }).do).toBe('nothing')
      }),
    )
  })

  it('A24 acts on no wish to run or stop before the backlog of the node is stored, and on everything else as ever', () => {
    fc.assert(
      fc.property(input, (given) => {
        const [behind, level] = [true, false].map((nodeBehind) => reconcile({ ...given, nodeBehind }))
        const isWish = level?.do === 'step' && level.step.kind === 'power' && !given.desired.suspended
        if (isWish) expect(behind).toEqual({ do: 'nothing', because: 'node-behind' })
        else if (level?.do === 'step') expect(behind).toEqual(level)
        else expect(behind?.do).toBe('nothing')
      }),
      { numRuns: 5_000 },
    )
  })

  it('A13, T57 asks nothing of an unknown server but its deletion', () => {
    fc.assert(
      fc.property(input, (given) => {
        const plan = reconcile({ ...given, observed: { state: 'unknown', generation: 1, installed: true } })
        if (plan.do === 'step') expect(plan.step.kind).toBe('delete')
      }),
    )
  })

  it('A16 tells a node that lost its record what it should know, and starts nothing before', () => {
    fc.assert(
      fc.property(input, fc.boolean(), (given, installed) => {
        const plan = reconcile({ ...given, observed: { state: 'unknown', generation: 0, installed } })
        if (plan.do === 'step') expect(['update', 'delete']).toContain(plan.step.kind)
      }),
    )
  })

  it('deletes only what is wanted gone', () => {
    fc.assert(
      fc.property(input, (given) => {
        const plan = reconcile(given)
        if (plan.do === 'step' && plan.step.kind === 'delete') expect(given.desired.desired).toBe('deleted')
      }),
      { numRuns: 2_000 },
    )
  })

  it('asks for nothing else while a deletion is wanted', () => {
    fc.assert(
      fc.property(input, (given) => {
        const plan = reconcile({ ...given, desired: { ...given.desired, desired: 'deleted' } })
        if (plan.do === 'step') expect(plan.step.kind).toBe('delete')
      }),
    )
  })

  it('leaves a crashed or failed server to a person', () => {
    const desired: DesiredServer = {
      id: ID,
      generation: 1,
      desired: 'installed',
      power: 'running',
      suspended: false,
      expired: false,
      autoStart: true,
    }
    for (const state of ['crashed', 'startup_failed'] as const) {
      expect(reconcile(still(desired, { state, generation: 1, installed: true })).do).toBe('nothing')
    }
    expect(reconcile(still(desired, { state: 'install_failed', generation: 1, installed: false }))).toEqual({
      do: 'nothing',
      because: 'needs-a-person',
    })
  })

  it('repeats a failed step after its back-off and not before', () => {
    const desired: DesiredServer = {
      id: ID,
      generation: 1,
      desired: 'installed',
      power: 'running',
      suspended: false,
      expired: false,
      autoStart: true,
    }
    const observed: ObservedState = { state: 'offline', generation: 1, installed: true }
    const failures = [{ kind: 'power' as const, count: 2, lastAtMs: 1_000 }]
    const at = (nowMs: number) => reconcile({ ...still(desired, observed), failures, nowMs })
    expect(at(10_999)).toEqual({ do: 'nothing', because: 'backing-off' })
    expect(at(11_000)).toEqual({ do: 'step', step: { kind: 'power', action: 'start' } })
    expect([1, 2, 3, 7, 50].map(stepBackoffMs)).toEqual([5_000, 10_000, 20_000, 300_000, 300_000])
  })
})
