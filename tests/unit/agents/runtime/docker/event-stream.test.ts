import { describe, expect, it } from 'vitest'

import { lineReader, parseEvent } from '../../../../../agents/runtime/docker/event-stream.ts'

const DIE = {
  Type: 'container',
  Action: 'die',
  Actor: { ID: 'abc', Attributes: { exitCode: '137', name: 'x' } },
  time: 1_700_000_000,
}

describe('events of the engine', () => {
  it('are read with their attributes', () => {
    expect(parseEvent(JSON.stringify(DIE))).toEqual({
      type: 'container',
      action: 'die',
      id: 'abc',
      attributes: { exitCode: '137', name: 'x' },
      atMs: 1_700_000_000_000,
    })
  })

  it.each([
    '{',
    'null',
    '[]',
    JSON.stringify({ ...DIE, Type: 'volume' }),
    JSON.stringify({ ...DIE, Action: 3 }),
    JSON.stringify({ ...DIE, Actor: null }),
  ])('%s is none', (line) => {
    expect(parseEvent(line)).toBeUndefined()
  })

  it('arrive in pieces of any size', () => {
    const lines: string[] = []
    const read = lineReader((line) => lines.push(line))
    for (const piece of ['on', 'e\ntwo\nth', '', 'ree\n\nfour']) read(piece)
    expect(lines).toEqual(['one', 'two', 'three'])
  })
})
