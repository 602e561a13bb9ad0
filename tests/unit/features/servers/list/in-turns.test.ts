import { expect, test } from 'vitest'
import { inTurns } from '../../../../../src/features/servers/list/in-turns.ts'

test('every item has its turn, in order, and never more than the width are under way', async () => {
  const items = Array.from({ length: 11 }, (_, at) => at)
  const begun: number[] = []
  let [now, most] = [0, 0]
  await inTurns(items, 4, async (item) => {
    begun.push(item)
    now += 1
    most = Math.max(most, now)
    // Later ones end earlier.
    for (let turn = 0; turn < 12 - item; turn += 1) await Promise.resolve()
    now -= 1
  })
  expect(begun).toEqual(items)
  expect([now, most]).toEqual([0, 4])
})

test('no items need no turn', async () => {
  await expect(inTurns([], 4, () => Promise.reject(new Error('nobody asked')))).resolves.toBeUndefined()
})
