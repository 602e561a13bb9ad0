import { expect, test } from 'vitest'
import { createFairTurns } from '../../../src/platform/fair-turns.ts'
import type { TurnBounds } from '../../../src/platform/fair-turns.ts'
import { isOverloaded } from '../../../src/platform/overloaded.ts'

const BOUNDS: TurnBounds = { width: 1, waiting: 100, waitingPerAddress: 100, waitingPerAccount: 100, placeMs: 60_000 }

/** Work of several callers that ends when it is told to; its names are `caller` and a number. */
const crowd = (bounds: Partial<TurnBounds> = {}) => {
  const turns = createFairTurns({ ...BOUNDS, ...bounds })
  const begun: string[] = []
  const refused: string[] = []
  const ends = new Map<string, () => void>()
  const come = (name: string, subject?: string): Promise<void> =>
    turns({ caller: name.replace(/\d+$/, ''), subject }, async () => {
      begun.push(name)
      await new Promise<void>((end) => ends.set(name, end))
    }).catch((error: unknown) => {
      if (!isOverloaded(error)) throw error
      refused.push(name)
    })
  /** Ends each work as it begins, until nobody waits. */
  const finish = async (all: readonly Promise<void>[]): Promise<void> => {
    let isDone = false
    const done = Promise.all(all).then(() => (isDone = true))
    while (!isDone) {
      for (const [name, end] of ends) if (ends.delete(name)) end()
      await new Promise((resolve) => setImmediate(resolve))
    }
    await done
  }
  return { turns, begun, refused, ends, come, finish }
}

test('a caller who comes last waits for one turn of each other caller, however many they have', async () => {
  const { begun, come, finish } = crowd()
  await finish([come('a1'), come('a2'), come('a3'), come('b1'), come('b2'), come('c1')])
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
})

test('a caller never has two turns at once, so the second place is free for another', async () => {
  const { begun, come, finish } = crowd({ width: 2 })
  const all = [come('a1'), come('a2'), come('b1')]
  expect(begun).toEqual(['a1', 'b1'])
  await finish(all)
  expect(begun).toEqual(['a1', 'b1', 'a2'])
})

test('a caller with all of their waiting places taken is refused, and another is not', async () => {
  const { refused, come, finish } = crowd({ waitingPerAddress: 2 })
  await finish(['a1', 'a2', 'a3', 'a4', 'b1'].map((name) => come(name)))
  expect(refused).toEqual(['a4'])
})

test('many callers who crowd upon one subject are refused beyond its places, and other subjects are not', async () => {
  const { refused, come, finish } = crowd({ waitingPerAccount: 2 })
  await finish(['a1', 'b1', 'c1', 'd1'].map((name) => come(name, 'anna')).concat(come('e1', 'bela'), come('f1')))
  expect(refused).toEqual(['d1'])
})

test('a full room takes a newcomer in, and refuses the last of the caller who has most', async () => {
  const { refused, begun, come, finish } = crowd({ waiting: 3 })
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'a5'].map((name) => come(name))
  await finish(all)
  expect(refused).toEqual(['a4', 'b2', 'a5'])
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
})

test('places of a subject are free again once its work has begun', async () => {
  const { refused, come, finish } = crowd({ waitingPerAccount: 1 })
  await finish([come('a1', 'anna'), come('b1', 'anna')])
  await finish([come('c1', 'anna'), come('d1', 'anna')])
  expect(refused).toEqual([])
})

test('work that takes too long loses its place and continues', async () => {
  const { begun, come, finish } = crowd({ placeMs: 20 })
  const all = [come('a1'), come('b1')]
  await expect.poll(() => begun).toEqual(['a1', 'b1'])
  await finish(all)
  const after = [come('a2'), come('b2')]
  expect(begun).toEqual(['a1', 'b1', 'a2'])
  await finish(after)
})

test("a failure gives the place back and is the caller's", async () => {
  const { turns } = crowd()
  await expect(turns({ caller: 'a' }, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await turns({ caller: 'a' }, () => Promise.resolve('again'))).toBe('again')
})
