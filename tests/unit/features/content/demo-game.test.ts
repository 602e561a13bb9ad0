import { describe, expect, it } from 'vitest'
import {
  mostPlayers,
  settled,
  startOfDemo,
  started,
  stopped,
  typed,
} from '../../../../src/features/content/demo-game.ts'

const texts = (demo: typeof startOfDemo) => demo.lines.map(({ text }) => text)

describe('the demo game', () => {
  it('answers what it knows and says so for the rest', () => {
    expect(texts(typed(startOfDemo, ' /say szia  ', '?'))).toEqual(['> say szia', '[Server] szia'])
    expect(texts(typed(startOfDemo, 'fly', 'Unknown'))).toEqual(['> fly', 'Unknown'])
    expect(typed(startOfDemo, '   ', '?')).toBe(startOfDemo)
  })

  it('stops and starts through the states in between', () => {
    const stopping = typed(startOfDemo, 'stop', '?')
    expect(stopping.state).toBe('stopping')
    expect(started(stopping)).toBe(stopping)
    const off = settled(stopping)
    expect(off.state).toBe('stopped')
    expect(stopped(off)).toBe(off)
    expect(texts(typed(off, 'list', '?')).at(-1)).toBe('> list')
    expect(settled(started(off)).state).toBe('running')
  })

  it('lists as many players as it counts, and none after a restart', () => {
    expect(texts(typed(startOfDemo, 'list', '?')).at(-1)).toBe(
      `There are ${startOfDemo.players.length} of a max of ${mostPlayers} players online: ${startOfDemo.players.join(', ')}`,
    )
    const again = settled(started(settled(stopped(startOfDemo))))
    expect(again).toMatchObject({ state: 'running', players: [] })
    expect(texts(typed(again, 'list', '?')).at(-1)).toBe(`There are 0 of a max of ${mostPlayers} players online:`)
  })

  it('keeps a bounded log whose lines have ids of their own', () => {
    let demo = startOfDemo
    for (let turn = 0; turn < 100; turn += 1) demo = typed(demo, 'time', '?')
    expect(demo.lines.length).toBeLessThanOrEqual(60)
    expect(new Set(demo.lines.map(({ id }) => id)).size).toBe(demo.lines.length)
  })
})
