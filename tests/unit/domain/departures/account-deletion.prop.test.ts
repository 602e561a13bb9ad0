import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DELETION_EVENTS, nextDeletionState, refuseDeletion } from '#domain/departures/account-deletion.ts'
import type { DeletionState } from '#domain/departures/account-deletion.ts'

const events = fc.array(fc.constantFrom(...DELETION_EVENTS), { maxLength: 40 })

/** Goes as far as the table lets it; a refused event changes nothing. */
const walk = (list: readonly (typeof DELETION_EVENTS)[number][]): DeletionState[] => {
  const path: DeletionState[] = ['active']
  for (const event of list) path.push(nextDeletionState(path.at(-1) ?? 'active', event) ?? path.at(-1) ?? 'active')
  return path
}

test('nothing leads back from an erasure, and none begins without having been asked for, whatever happens', () => {
  fc.assert(
    fc.property(events, (list) => {
      const path = walk(list)
      const begun = path.indexOf('erasing')
      if (begun < 0) return
      expect(list.slice(0, begun)).toContain('asked')
      expect(path[begun - 1]).toBe('leaving')
      expect(path.slice(begun).every((state) => state === 'erasing' || state === 'erased')).toBe(true)
    }),
  )
})

test('every step is one of the table, and each undo leads back to where it began', () => {
  fc.assert(
    fc.property(events, (list) => {
      const path = walk(list)
      list.forEach((event, at) => {
        const [from, to] = [path[at], path[at + 1]]
        if (event === 'undone' && from === 'leaving') expect(to).toBe('active')
        else if (from !== to) expect(to).toBe(nextDeletionState(from ?? 'active', event))
      })
    }),
  )
})

const figures = fc.record({
  balanceFt: fc.integer({ min: 0, max: 1_000_000 }),
  debtFt: fc.nat(3),
  openOrders: fc.nat(3),
  openPayments: fc.nat(3),
  runningServers: fc.nat(3),
  stoppedServers: fc.nat(3),
  isLastAdministrator: fc.boolean(),
})
const waivers = fc.record({ balanceFt: fc.integer({ min: 0, max: 1_000_000 }), servers: fc.boolean() })

test('a person who gives up more is never refused for it, and nothing is lost that was not given up', () => {
  fc.assert(
    fc.property(figures, waivers, (left, waiver) => {
      const refusal = refuseDeletion(left, waiver)
      if (refusal !== null) return
      expect(left.debtFt).toBe(0)
      expect(left.balanceFt).toBeLessThanOrEqual(waiver.balanceFt)
      expect(left.stoppedServers === 0 || waiver.servers).toBe(true)
      expect(refuseDeletion(left, { balanceFt: waiver.balanceFt + 1, servers: true })).toBeNull()
    }),
  )
})
