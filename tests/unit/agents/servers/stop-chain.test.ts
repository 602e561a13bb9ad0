import { describe, expect, it } from 'vitest'

import { stopChain } from '../../../../agents/servers/stop-chain.ts'

const signals = (line: string) =>
  stopChain({ stop: { kind: 'command', line }, stopTimeoutMs: 3_000 }).map((step) =>
    step.kind === 'signal' ? step.signal : step.line,
  )

describe('stop chain', () => {
  it.each(['^C', '^c', '^^C', '^^c', ' ^C '])('reads %j as an interrupt', (line) => {
    expect(signals(line)).toEqual(['SIGINT', 'SIGTERM', 'SIGKILL'])
  })

  it('says the command first and then goes through the signals, each with its time', () => {
    expect(signals('stop')).toEqual(['stop', 'SIGINT', 'SIGTERM', 'SIGKILL'])
    const waits = stopChain({ stop: { kind: 'signal' }, stopTimeoutMs: 3_000 }).map((step) => step.waitMs)
    expect(waits.slice(0, 2)).toEqual([3_000, 3_000])
  })
})
