import { describe, expect, it } from 'vitest'
import { panelPlace, type PanelSlot } from '../../../../src/features/summary/panel-drag.ts'

const slot = (id: string, column: string, top: number): PanelSlot => ({
  id,
  column,
  top,
  bottom: top + 100,
  left: column === 'side' ? 700 : 0,
  width: column === 'side' ? 300 : 600,
})
const SLOTS = [
  slot('servers', 'main', 0),
  slot('players', 'main', 124),
  slot('guides', 'main', 248),
  slot('due', 'side', 0),
  slot('news', 'side', 124),
]

describe('the place of a panel that is let go', () => {
  it.each([
    [10, 'servers', -12],
    [60, 'players', 112],
    [180, null, 236],
    [900, null, 236],
  ])('guides at %s lands before %s', (y, before, lineY) => {
    expect(panelPlace(SLOTS, 'guides', y)).toMatchObject({ before, lineY, lineX: { left: 0, width: 600 } })
  })

  it('a panel stays in its column, whatever is beside it', () => {
    expect(panelPlace(SLOTS, 'news', 10)).toEqual({ before: 'due', lineY: -12, lineX: { left: 700, width: 300 } })
    expect(panelPlace(SLOTS, 'due', 300)).toMatchObject({ before: null })
  })

  it('a single panel of its column has nowhere to go', () => {
    expect(panelPlace([slot('due', 'side', 0), slot('servers', 'main', 0)], 'due', 50)).toBeNull()
  })

  it('a panel that is gone lands nowhere', () => {
    expect(panelPlace(SLOTS, 'balance', 50)).toBeNull()
  })
})
