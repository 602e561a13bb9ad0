import { describe, expect, it } from 'vitest'

import { exitOf } from '../../../../../agents/runtime/docker/exit-code.ts'

const state = { ExitCode: 0, OOMKilled: false, FinishedAt: '2026-11-21T04:05:06.5Z' }

describe('the end of a container', () => {
  it.each([
    [0, { code: 0, signal: null }],
    [1, { code: 1, signal: null }],
    [42, { code: 42, signal: null }],
    [128, { code: 128, signal: null }],
    [130, { code: null, signal: 'SIGINT' }],
    [137, { code: null, signal: 'SIGKILL' }],
    [143, { code: null, signal: 'SIGTERM' }],
    [255, { code: 255, signal: null }],
  ])('with code %i is %j', (ExitCode, exit) => {
    expect(exitOf({ ...state, ExitCode }, 7)).toEqual({ ...exit, atMs: Date.parse(state.FinishedAt) })
  })

  it('says that the memory was full only when the engine says so', () => {
    expect(exitOf({ ...state, ExitCode: 137, OOMKilled: true }, 7)).toMatchObject({ oomKilled: true })
    expect(exitOf({ ...state, ExitCode: 137 }, 7)).not.toHaveProperty('oomKilled')
  })

  it('takes the present time when the engine knows none', () => {
    expect(exitOf({ ...state, FinishedAt: '0001-01-01T00:00:00Z' }, 7).atMs).toBe(7)
  })
})
