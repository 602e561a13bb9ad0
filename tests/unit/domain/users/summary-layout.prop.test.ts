import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  changedSummary,
  columnEnd,
  COLUMN_OF_PANEL,
  SUMMARY_PANELS,
  steppedPanel,
  summaryOf,
  type StoredSummaryLayout,
  type SummaryLayoutChange,
} from '../../../../src/domain/users/summary-layout.ts'

const anyPanel = fc.constantFrom(...SUMMARY_PANELS)
const anyMove = fc.record({ kind: fc.constant('move' as const), panel: anyPanel, before: fc.option(anyPanel) })
const anyChange: fc.Arbitrary<SummaryLayoutChange> = fc.oneof(
  anyMove,
  fc.record({ kind: fc.constant('show' as const), panel: anyPanel, shown: fc.boolean() }),
  fc.record({ kind: fc.constant('reset' as const) }),
)
/** As any release may have stored it. */
const anyStored: fc.Arbitrary<StoredSummaryLayout> = fc.record({
  order: fc.array(fc.oneof(anyPanel, fc.constantFrom('events', 'visitors', '')), { maxLength: 12 }),
  hidden: fc.array(fc.oneof(anyPanel, fc.constantFrom('events', 'visitors')), { maxLength: 6 }),
})

it('no stored layout and no sequence of changes loses a panel or shows one twice', () => {
  fc.assert(
    fc.property(anyStored, fc.array(anyChange, { maxLength: 30 }), (stored, changes) => {
      const { order, hidden } = summaryOf(changes.reduce(changedSummary, stored))
      expect(order.toSorted()).toEqual(SUMMARY_PANELS.toSorted())
      expect(new Set(hidden).size).toBe(hidden.length)
    }),
  )
})

it('a move leaves all others in their order and hides none, and whoever repeats it finds the same', () => {
  fc.assert(
    fc.property(anyStored, anyMove, (stored, change) => {
      const before = summaryOf(stored)
      const moved = changedSummary(stored, change)
      const after = summaryOf(moved)
      const others = (order: readonly string[]) => order.filter((panel) => panel !== change.panel)
      expect(others(after.order)).toEqual(others(before.order))
      expect(after.hidden).toEqual(before.hidden)
      expect(changedSummary(moved, change)).toEqual(moved)
      if (change.before !== null && change.before !== change.panel)
        expect(after.order[after.order.indexOf(change.panel) + 1]).toBe(change.before)
    }),
  )
})

it('the browser shows the same as this release: a shown layout changes as the stored one does', () => {
  fc.assert(
    fc.property(anyStored, anyChange, (stored, change) => {
      expect(summaryOf(changedSummary(summaryOf(stored), change))).toEqual(summaryOf(changedSummary(stored, change)))
    }),
  )
})

it('a step moves a panel past exactly one neighbour of its column', () => {
  fc.assert(
    fc.property(anyStored, anyPanel, fc.constantFrom(-1 as const, 1 as const), (stored, panel, step) => {
      const columnOf = (layout: StoredSummaryLayout) => {
        const { order, hidden } = summaryOf(layout)
        return order.filter((each) => COLUMN_OF_PANEL[each] === COLUMN_OF_PANEL[panel] && !hidden.includes(each))
      }
      const column = columnOf(stored)
      const to = steppedPanel(column, panel, step)
      if (to === undefined) return
      const { order } = summaryOf(stored)
      const before = to ?? columnEnd(order, column, panel)
      const moved = changedSummary(stored, { kind: 'move', panel, before })
      const after = columnOf(moved)
      expect(after.indexOf(panel)).toBe(column.indexOf(panel) + step)
      // It passes nothing of the other column that stands behind its own.
      if (to !== null) return
      const newOrder = summaryOf(moved).order
      expect(newOrder[newOrder.indexOf(panel) - 1]).toBe(column.at(-1))
    }),
  )
})
