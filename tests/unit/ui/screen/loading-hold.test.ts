import { expect, test } from 'vitest'
import { createLoadingHold } from '../../../../src/ui/screen/loading-hold.ts'
import type { HoldPhase } from '../../../../src/ui/screen/loading-hold.ts'
import { manualTimers } from '../../lib/realtime/manual-timers.ts'

const build = () => {
  const timers = manualTimers()
  const seen: HoldPhase[] = []
  return { timers, seen, hold: createLoadingHold(timers, (phase) => seen.push(phase)) }
}

test('a fast answer shows no loading state', async () => {
  const { timers, seen, hold } = build()
  hold.begin()
  await timers.advance(149)
  hold.end()
  await timers.advance(1_000)
  expect(seen).toEqual(['unseen', 'over'])
})

test('a loading state that is seen stays at least 200 ms', async () => {
  const { timers, seen, hold } = build()
  hold.begin()
  await timers.advance(150)
  expect(seen).toEqual(['unseen', 'seen'])
  hold.end()
  await timers.advance(199)
  expect(seen).toEqual(['unseen', 'seen'])
  await timers.advance(1)
  expect(seen).toEqual(['unseen', 'seen', 'over'])
})

test('after its 200 ms it ends with the answer', async () => {
  const { timers, seen, hold } = build()
  hold.begin()
  await timers.advance(5_000)
  expect(seen.at(-1)).toBe('seen')
  hold.end()
  expect(seen.at(-1)).toBe('over')
})

test('a loading that begins again while it is held stays', async () => {
  const { timers, seen, hold } = build()
  hold.begin()
  await timers.advance(160)
  hold.end()
  hold.begin()
  await timers.advance(5_000)
  expect(seen).toEqual(['unseen', 'seen'])
})

test('once it is gone no timer is left', async () => {
  const { timers, hold } = build()
  hold.begin()
  hold.dispose()
  await timers.advance(0)
  expect(timers.pending()).toEqual([])
})
