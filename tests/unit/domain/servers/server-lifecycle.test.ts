import { describe, expect, it } from 'vitest'
import {
  isAlive,
  nextState,
  SERVER_EVENTS,
  SERVER_MOVES,
  SERVER_STATES,
  type ServerState,
} from '#domain/servers/server-lifecycle.ts'

const reachableFrom = (start: ServerState): Set<ServerState> => {
  const found = new Set<ServerState>([start])
  for (const state of found) for (const next of Object.values(SERVER_MOVES[state])) found.add(next)
  return found
}

describe('the table of moves', () => {
  it('answers every state and event: a state of the list, or ILLEGAL_MOVE', () => {
    for (const state of SERVER_STATES) {
      for (const event of SERVER_EVENTS) {
        const move = nextState(state, event)
        const to = SERVER_MOVES[state][event]
        expect(move).toEqual(to ? { ok: true, to } : { ok: false, code: 'ILLEGAL_MOVE' })
        if (move.ok) expect(SERVER_STATES).toContain(move.to)
      }
    }
  })

  it('reaches every state from a new server but healthy, which only an agent reports', () => {
    expect(SERVER_STATES.filter((state) => !reachableFrom('creating').has(state))).toEqual(['healthy'])
  })

  it('leads from every state to the deletion, and nowhere after it', () => {
    expect(SERVER_STATES.filter((state) => !reachableFrom(state).has('deleted'))).toEqual([])
    expect(SERVER_MOVES.deleted).toEqual({})
  })

  it('left starting before the done text is a failed start, left running unasked a crash, left stopping the end', () => {
    expect(
      ['starting', 'running', 'stopping'].map((state) => nextState(state as ServerState, 'process-exited')),
    ).toEqual([
      { ok: true, to: 'startup_failed' },
      { ok: true, to: 'crashed' },
      { ok: true, to: 'offline' },
    ])
  })

  it('only a server with a process can lose it', () => {
    expect(SERVER_STATES.filter((state) => nextState(state, 'process-exited').ok)).toEqual(
      SERVER_STATES.filter(isAlive),
    )
  })

  it('cannot be changed', () => {
    expect(() => Object.assign(SERVER_MOVES, { deleted: { 'start-requested': 'starting' } })).toThrow(TypeError)
  })
})
