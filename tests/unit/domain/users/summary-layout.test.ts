import { describe, expect, it } from 'vitest'
import {
  changedSummary,
  columnEnd,
  DEFAULT_SUMMARY_LAYOUT,
  steppedPanel,
  SUMMARY_PANELS,
  summaryOf,
  type SummaryPanel,
} from '../../../../src/domain/users/summary-layout.ts'

const NOTHING = { order: [], hidden: [] }

describe('the panels that a release knows', () => {
  it('nothing stored is the default', () => {
    expect(summaryOf(NOTHING)).toEqual(DEFAULT_SUMMARY_LAYOUT)
  })

  it('a new panel stands behind the one that it follows by default, wherever that is, and is shown', () => {
    const before = SUMMARY_PANELS.filter((panel) => panel !== 'players').toReversed()
    const { order, hidden } = summaryOf({ order: before, hidden: ['news'] })
    expect(order[order.indexOf('balance') + 1]).toBe('players')
    expect(order.filter((panel) => panel !== 'players')).toEqual(before)
    expect(hidden).toEqual(['news'])
  })

  it('the first of the default stands at the beginning if it is new', () => {
    expect(summaryOf({ order: ['guides', 'due'], hidden: [] }).order[0]).toBe('servers')
  })

  it('an unknown panel is not shown, and a change keeps its place for the release that knows it', () => {
    const stored = { order: ['guides', 'events', 'servers'], hidden: ['events'] }
    expect(summaryOf(stored).order).not.toContain('events')
    const after = changedSummary(stored, { kind: 'show', panel: 'news', shown: false })
    expect(after.order.indexOf('events')).toBe(after.order.indexOf('guides') + 1)
    expect(after.hidden).toEqual(['events', 'news'])
  })

  it('a panel that is stored twice is shown once', () => {
    expect(summaryOf({ order: ['guides', 'guides'], hidden: ['guides', 'guides'] })).toMatchObject({
      hidden: ['guides'],
    })
    expect(summaryOf({ order: ['guides', 'guides'], hidden: [] }).order).toHaveLength(SUMMARY_PANELS.length)
  })
})

describe('a change', () => {
  it('puts a panel in front of its new neighbour, or at the end', () => {
    const first = changedSummary(NOTHING, { kind: 'move', panel: 'guides', before: 'servers' })
    expect(first.order.slice(0, 2)).toEqual(['guides', 'servers'])
    expect(changedSummary(first, { kind: 'move', panel: 'guides', before: null }).order.at(-1)).toBe('guides')
  })

  it('in front of itself moves nothing', () => {
    const { order } = changedSummary(NOTHING, { kind: 'move', panel: 'due', before: 'due' })
    expect(order).toEqual(SUMMARY_PANELS)
  })

  it('hides a panel, and shows it again where it was', () => {
    const hidden = changedSummary(NOTHING, { kind: 'show', panel: 'due', shown: false })
    expect(hidden.hidden).toEqual(['due'])
    expect(changedSummary(hidden, { kind: 'show', panel: 'due', shown: true })).toEqual({
      order: SUMMARY_PANELS,
      hidden: [],
    })
  })

  it('a reset brings the default back', () => {
    const changed = changedSummary(NOTHING, { kind: 'move', panel: 'news', before: 'servers' })
    expect(summaryOf(changedSummary(changed, { kind: 'reset' }))).toEqual(DEFAULT_SUMMARY_LAYOUT)
  })
})

describe('a step within the shown panels of a column', () => {
  const column: readonly SummaryPanel[] = ['waiting', 'due', 'news']
  it.each([
    ['due', -1, 'waiting'],
    ['news', -1, 'due'],
    ['waiting', 1, 'news'],
    ['due', 1, null],
  ] as const)('%s by %s lands before %s', (panel, step, before) => {
    expect(steppedPanel(column, panel, step)).toBe(before)
  })

  it.each([
    ['waiting', -1],
    ['news', 1],
    ['guides', 1],
  ] as const)('%s by %s is none', (panel, step) => {
    expect(steppedPanel(column, panel, step)).toBeUndefined()
  })
})

describe('the end of a column in the whole order', () => {
  const column: readonly SummaryPanel[] = ['waiting', 'due', 'balance', 'news', 'voting']
  it.each([
    ['balance', 'guides'],
    ['voting', 'guides'],
  ] as const)('%s lands behind the last of its column, in front of %s of the other one', (panel, before) => {
    expect(columnEnd(SUMMARY_PANELS, column, panel)).toBe(before)
  })

  it('is in front of a hidden panel that follows, and the end of all where none follows', () => {
    expect(columnEnd(SUMMARY_PANELS, ['waiting', 'due'], 'waiting')).toBe('balance')
    expect(columnEnd(SUMMARY_PANELS, ['servers', 'players', 'guides'], 'servers')).toBeNull()
  })

  it('is its own place for a panel that is the last already', () => {
    expect(columnEnd(['news', 'servers', 'due'], ['news', 'due'], 'due')).toBeNull()
    expect(columnEnd(['due', 'news', 'servers'], ['due', 'news'], 'news')).toBe('servers')
    expect(columnEnd(SUMMARY_PANELS, ['due'], 'due')).toBe('balance')
    expect(columnEnd(SUMMARY_PANELS, ['guides'], 'guides')).toBeNull()
  })
})
