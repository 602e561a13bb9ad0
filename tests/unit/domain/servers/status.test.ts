import { describe, expect, it } from 'vitest'
import { SERVER_STATES, type ServerState } from '#domain/servers/server-lifecycle.ts'
import { SERVER_WORDS, shownWord, STATUS_BY_WORD, statusOf, type ServerWord } from '#domain/servers/status.ts'

/** Written out from the specification, section 4, and the clarifications, part 1. */
const WORDS: Record<ServerState, ServerWord> = {
  creating: 'installing',
  installing: 'installing',
  install_failed: 'error on startup',
  offline: 'offline',
  healthy: 'healthy',
  starting: 'starting',
  running: 'running',
  stopping: 'stopping',
  crashed: 'crashed',
  startup_failed: 'error on startup',
  deleting: 'stopping',
  deleted: 'offline',
  unknown: 'unknown',
}
const LOOKS: Record<ServerWord, [label: string, colour: string]> = {
  running: ['running', 'green'],
  healthy: ['stopped', 'green'],
  offline: ['stopped', 'pale'],
  starting: ['starting', 'amber'],
  installing: ['installing', 'amber'],
  stopping: ['stopping', 'red'],
  suspended: ['suspended', 'red'],
  crashed: ['crashed', 'red'],
  'error on startup': ['errorOnStartup', 'red'],
  nodeoffline: ['maintenance', 'red'],
  unknown: ['unknown', 'red'],
}
const combinations = SERVER_STATES.flatMap((state) =>
  [true, false].flatMap((suspended) => [true, false].map((nodeReachable) => ({ state, suspended, nodeReachable }))),
)

describe('the status table', () => {
  it('has all combinations of state, suspension and reachability', () => {
    expect(combinations).toHaveLength(SERVER_STATES.length * 4)
  })

  it.each(combinations)('$state, suspended $suspended, node reachable $nodeReachable', (facts) => {
    const expected = facts.suspended ? 'suspended' : facts.nodeReachable ? WORDS[facts.state] : 'nodeoffline'
    const { word, label, colour } = statusOf(facts)
    expect([word, label, colour]).toEqual([expected, ...LOOKS[expected]])
  })

  it('gives words of the same colour different shapes unless their labels agree too', () => {
    const all = SERVER_WORDS.map((word) => STATUS_BY_WORD[word])
    expect(new Set(all.map(({ word }) => word)).size).toBe(SERVER_WORDS.length)
    const ambiguous = all.filter((one) =>
      all.some((two) => one !== two && one.label === two.label && one.colour === two.colour),
    )
    expect(ambiguous).toEqual([])
  })

  it('live statistics win over the list, and with neither the server is installing', () => {
    expect(shownWord('running', 'offline')).toBe('running')
    expect(shownWord(undefined, 'offline')).toBe('offline')
    expect(shownWord(undefined, undefined)).toBe('installing')
  })
})
