import { describe, expect, it } from 'vitest'
import { reinstallRefusal, type ReinstallFacts } from '#domain/servers/reinstall.ts'
import { SERVER_STATES } from '#domain/servers/server-lifecycle.ts'

const facts = (change: Partial<ReinstallFacts>): ReinstallFacts => ({
  state: 'offline',
  installed: true,
  deleting: false,
  suspended: false,
  expired: false,
  openCommands: [],
  ...change,
})

describe('reinstallRefusal', () => {
  it('lets a reinstallation begin from each state in which nothing else is going on', () => {
    expect(SERVER_STATES.filter((state) => reinstallRefusal(facts({ state })) === undefined)).toEqual([
      'install_failed',
      'offline',
      'healthy',
      'starting',
      'running',
      'crashed',
      'startup_failed',
    ])
  })

  it.each([
    [{ suspended: true, expired: true }, 'SERVER_SUSPENDED'],
    [{ expired: true, deleting: true }, 'SERVER_EXPIRED'],
    [{ deleting: true }, 'INVALID_STATE'],
    [{ installed: false, state: 'install_failed' }, 'INVALID_STATE'],
    [{ state: 'stopping' }, 'POWER_ACTION_RUNNING'],
    [{ openCommands: [{ kind: 'power' }] }, 'POWER_ACTION_RUNNING'],
    [{ openCommands: [{ kind: 'power' }, { kind: 'install' }] }, 'INVALID_STATE'],
    [{ openCommands: [{ kind: 'reinstall' }] }, 'INVALID_STATE'],
    [{ openCommands: [{ kind: 'update' }] }, undefined],
  ] as const)('%j is %s', (change, code) => {
    expect(reinstallRefusal(facts(change))).toBe(code)
  })
})
