import { describe, expect, it } from 'vitest'
import { powerRefusal, type PowerAction, type PowerFacts } from '#domain/servers/power.ts'
import { isAlive, SERVER_STATES } from '#domain/servers/server-lifecycle.ts'

const ACTIONS: PowerAction[] = ['start', 'stop', 'restart', 'kill']
const facts = (change: Partial<PowerFacts>): PowerFacts => ({
  action: 'start',
  state: 'offline',
  installed: true,
  deleting: false,
  suspended: false,
  expired: false,
  startingAllowed: true,
  openCommands: [],
  ...change,
})

describe('powerRefusal', () => {
  it.each(SERVER_STATES)('in %s sends only what can change something', (state) => {
    const allowed = ACTIONS.filter((action) => powerRefusal(facts({ action, state })) === undefined)
    const expected: Record<string, PowerAction[]> = {
      offline: ['start', 'restart'],
      healthy: ['start', 'restart'],
      crashed: ['start', 'restart'],
      startup_failed: ['start', 'restart'],
      starting: ['stop', 'restart', 'kill'],
      running: ['stop', 'restart', 'kill'],
      stopping: ['kill'],
    }
    expect(allowed).toEqual(expected[state] ?? [])
  })

  it('never starts a suspended or expired server, and never keeps one from being stopped', () => {
    for (const state of SERVER_STATES) {
      for (const action of ['start', 'restart'] as const) {
        expect(powerRefusal(facts({ action, state, suspended: true }))).toBe('SERVER_SUSPENDED')
        expect(powerRefusal(facts({ action, state, expired: true }))).toBe('SERVER_EXPIRED')
        expect(powerRefusal(facts({ action, state, startingAllowed: false }))).toBe('SERVER_START_DISABLED')
      }
      const kill = powerRefusal(
        facts({ action: 'kill', state, suspended: true, expired: true, startingAllowed: false }),
      )
      expect(kill === undefined).toBe(isAlive(state))
    }
  })

  it('one power action at a time, but kill overtakes one that hangs', () => {
    const open = (action: string) => [{ kind: 'power', action }]
    expect(powerRefusal(facts({ action: 'stop', state: 'running', openCommands: open('start') }))).toBe(
      'POWER_ACTION_RUNNING',
    )
    expect(powerRefusal(facts({ action: 'kill', state: 'stopping', openCommands: open('stop') }))).toBeUndefined()
    expect(powerRefusal(facts({ action: 'kill', state: 'stopping', openCommands: open('kill') }))).toBe(
      'POWER_ACTION_RUNNING',
    )
  })

  it('nothing runs beside an installation or a deletion; an update does not matter', () => {
    expect(powerRefusal(facts({ openCommands: [{ kind: 'reinstall', action: null }] }))).toBe('INVALID_STATE')
    expect(powerRefusal(facts({ openCommands: [{ kind: 'update', action: null }] }))).toBeUndefined()
    expect(powerRefusal(facts({ deleting: true }))).toBe('INVALID_STATE')
    expect(powerRefusal(facts({ installed: false }))).toBe('INVALID_STATE')
  })
})
