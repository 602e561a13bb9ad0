import { describe, expect, it } from 'vitest'

import { isStopLine, stopChain } from '../../../../agents/servers/stop-chain.ts'
import { stopMethodOf } from '../../../../src/contracts/agent/stop-method.ts'

const chainOf = (text: string) =>
  stopChain({ stop: stopMethodOf(text), stopTimeoutMs: 7_000 }).map((step) =>
    step.kind === 'line' ? step.line : step.signal,
  )

describe('the chain that ends a server', () => {
  it.each([
    ['stop', ['stop', 'SIGINT', 'SIGTERM', 'SIGKILL']],
    ['^C', ['SIGINT', 'SIGTERM', 'SIGKILL']],
    ['^c', ['SIGINT', 'SIGTERM', 'SIGKILL']],
    ['^^C', ['SIGINT', 'SIGTERM', 'SIGKILL']],
    ['^^c', ['SIGINT', 'SIGTERM', 'SIGKILL']],
    ['^\\', ['SIGQUIT', 'SIGTERM', 'SIGKILL']],
    ['^SIGTERM', ['SIGTERM', 'SIGKILL']],
    ['^term', ['SIGTERM', 'SIGKILL']],
    ['^^INT', ['SIGINT', 'SIGTERM', 'SIGKILL']],
    ['^HUP', ['SIGHUP', 'SIGTERM', 'SIGKILL']],
    ['^KILL', ['SIGKILL']],
    ['^X', ['SIGINT', 'SIGTERM', 'SIGKILL']],
    ['^', ['SIGINT', 'SIGTERM', 'SIGKILL']],
    ['', ['SIGINT', 'SIGTERM', 'SIGKILL']],
  ])('of %s goes from the mildest to the hardest', (text, chain) => {
    expect(chainOf(text)).toEqual(chain)
  })

  it('reads a `^C` that an older description holds as a line, and one without a signal', () => {
    const older = stopChain({ stop: { kind: 'command', line: '^C' }, stopTimeoutMs: 1 })
    expect(older[0]).toMatchObject({ kind: 'signal', signal: 'SIGINT' })
    expect(stopChain({ stop: { kind: 'signal' }, stopTimeoutMs: 1 })[0]).toMatchObject({ signal: 'SIGINT' })
  })

  it('waits no longer than thirty seconds a step for a suspended server', () => {
    const waitsOf = (stopTimeoutMs: number) =>
      stopChain({ stop: { kind: 'command', line: 'stop' }, stopTimeoutMs, suspended: true }).map(({ waitMs }) => waitMs)
    expect(waitsOf(300_000)).toEqual([30_000, 30_000, 30_000, 15_000])
    expect(waitsOf(10_000)).toEqual([10_000, 10_000, 10_000, 15_000])
  })

  it('gives every step the time of its server', () => {
    const waits = stopChain({ stop: { kind: 'command', line: 'stop' }, stopTimeoutMs: 7_000 }).map(
      ({ waitMs }) => waitMs,
    )
    expect(waits).toEqual([7_000, 7_000, 7_000, 15_000])
  })

  it("knows the server's own word for stopping when somebody types it", () => {
    const spec = { stop: stopMethodOf('/end') }
    expect([' /end ', 'end', 'say /end'].map((line) => isStopLine(spec, line))).toEqual([true, false, false])
    expect(isStopLine({ stop: stopMethodOf('^C') }, '^C')).toBe(false)
  })
})
