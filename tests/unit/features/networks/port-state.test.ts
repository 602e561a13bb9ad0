import { describe, expect, it } from 'vitest'
import { adviceOf, listeningOf } from '../../../../src/features/networks/port-state.ts'

const port = { port: 25_565, waitsForRestart: false }
const seen = (tcp: boolean | null, udp: boolean | null) => ({
  data: { ports: [{ port: 25_565, tcp, udp }] },
  isError: false,
})
const nothing = { data: undefined, isError: false }

describe('what listens on a port', () => {
  it('follows the last look of the machine', () => {
    expect(listeningOf(port, seen(true, true), 'running')).toBe('both')
    expect(listeningOf(port, seen(true, false), 'running')).toBe('tcp')
    expect(listeningOf(port, seen(false, true), 'starting')).toBe('udp')
    expect(listeningOf(port, seen(false, false), 'running')).toBe('none')
    expect(listeningOf(port, nothing, 'running')).toBe('reading')
  })

  it('is nothing on a server that does not run, whatever was seen before', () => {
    expect(listeningOf(port, seen(true, true), 'offline')).toBe('off')
    expect(listeningOf(port, nothing, 'crashed')).toBe('off')
  })

  it('is unknown when the machine does not answer, or cannot see it', () => {
    expect(listeningOf(port, { data: seen(true, true).data, isError: true }, 'running')).toBe('away')
    expect(listeningOf(port, { data: undefined, isError: true }, 'offline')).toBe('away')
    expect(listeningOf(port, nothing, 'nodeoffline')).toBe('away')
    expect(listeningOf(port, seen(null, null), 'running')).toBe('unseen')
    expect(listeningOf(port, { data: { ports: [] }, isError: false }, 'running')).toBe('unseen')
  })

  it('comes with a restart for a port that the running program does not have', () => {
    expect(listeningOf({ ...port, waitsForRestart: true }, seen(true, true), 'running')).toBe('waits')
    expect(listeningOf({ ...port, waitsForRestart: true }, nothing, 'offline')).toBe('off')
  })
})

describe('the advice', () => {
  it('names the first thing that keeps players away', () => {
    expect(adviceOf('off', 'closed')).toBe('off')
    expect(adviceOf('none', 'closed')).toBe('none')
    expect(adviceOf('both', 'silent')).toBe('silent')
    expect(adviceOf('tcp', 'closed')).toBe('closed')
  })

  it('promises a connection only after a check that was answered', () => {
    expect(adviceOf('both', 'open')).toBe('ready')
    expect(adviceOf('both', 'unchecked')).toBe('unchecked')
    expect(adviceOf('both', 'failed')).toBe('unchecked')
  })

  it('does not blame a port for udp, which cannot be checked', () => {
    expect(adviceOf('udp', 'closed')).toBe('udp')
    expect(adviceOf('udp', 'unchecked')).toBe('udp')
  })
})
