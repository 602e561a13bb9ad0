import { expect, test } from 'vitest'
import { createSignInLine, standsInLine } from '../../../src/server/sign-in-line.ts'

/** Pieces of work that end when they are told to. */
const crowd = () => {
  const begun: number[] = []
  const ends = new Map<number, () => void>()
  const work = (name: number) => async () => {
    begun.push(name)
    await new Promise<void>((end) => ends.set(name, end))
  }
  return { begun, work, end: (name: number) => ends.get(name)?.() }
}

test('a few are let in at a time, the others in the order in which they came', async () => {
  const line = createSignInLine({ width: 2, room: 10, placeMs: 60_000 })
  const { begun, work, end } = crowd()
  const all = [1, 2, 3, 4].map((name) => line(work(name)))
  expect(begun).toEqual([1, 2])
  end(2)
  await expect.poll(() => begun).toEqual([1, 2, 3])
  end(1)
  await expect.poll(() => begun).toEqual([1, 2, 3, 4])
  end(3)
  end(4)
  await Promise.all(all)
  void line(work(5))
  void line(work(6))
  void line(work(7))
  expect(begun).toEqual([1, 2, 3, 4, 5, 6])
})

test('whoever finds the room full goes in at once, and takes no place of those who wait', async () => {
  const line = createSignInLine({ width: 1, room: 1, placeMs: 60_000 })
  const { begun, work, end } = crowd()
  const all = [1, 2, 3].map((name) => line(work(name)))
  expect(begun).toEqual([1, 3])
  end(3)
  await all[2]
  expect(begun).toEqual([1, 3])
  end(1)
  await expect.poll(() => begun).toEqual([1, 3, 2])
  end(2)
  await Promise.all(all)
})

test('who takes too long loses the place and goes on: two slow bodies lock nobody out', async () => {
  const line = createSignInLine({ width: 1, room: 10, placeMs: 20 })
  const { begun, work, end } = crowd()
  const all = [1, 2, 3].map((name) => line(work(name)))
  await expect.poll(() => begun).toEqual([1, 2, 3])
  for (const name of [1, 2, 3]) end(name)
  await Promise.all(all)
  const after = [line(work(4)), line(work(5))]
  expect(begun).toEqual([1, 2, 3, 4])
  end(4)
  await expect.poll(() => begun).toContain(5)
  end(5)
  await Promise.all(after)
})

test('a failure gives the place back and is the caller’s', async () => {
  const line = createSignInLine({ width: 1, room: 1, placeMs: 60_000 })
  await expect(line(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  let isRun = false
  await line(async () => void (isRun = true))
  expect(isRun).toBe(true)
})

test.each([
  ['POST', '/api/auth/login', true],
  ['POST', '/api/auth/register', true],
  ['GET', '/api/auth/login', false],
  ['POST', '/api/auth/refresh', false],
  ['POST', '/api/user/me', false],
])('%s %s', (method, path, isInLine) => {
  expect(standsInLine(method, path)).toBe(isInLine)
})
