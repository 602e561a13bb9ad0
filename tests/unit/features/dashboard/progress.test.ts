import { expect, test } from 'vitest'
import { createProgress } from '../../../../src/features/dashboard/progress.ts'
import { manualTimers } from '../../lib/realtime/manual-timers.ts'

const build = () => {
  const timers = manualTimers()
  const state = { isShown: false }
  const progress = createProgress(timers, (isShown) => {
    state.isShown = isShown
  })
  return { timers, state, progress }
}

test('a navigation that is over within 200 ms shows no bar', async () => {
  const { timers, state, progress } = build()
  progress.start()
  await timers.advance(199)
  expect(state.isShown).toBe(false)
  progress.end()
  await timers.advance(10_000)
  expect(state.isShown).toBe(false)
})

test('a longer one shows it until it is over', async () => {
  const { timers, state, progress } = build()
  progress.start()
  await timers.advance(200)
  expect(state.isShown).toBe(true)
  progress.end()
  expect(state.isShown).toBe(false)
  expect(timers.pending()).toEqual([])
})

test('it runs for 5 s and no longer', async () => {
  const { timers, state, progress } = build()
  progress.start()
  await timers.advance(200 + 4_999)
  expect(state.isShown).toBe(true)
  await timers.advance(1)
  expect(state.isShown).toBe(false)
})

test('the next navigation begins anew', async () => {
  const { timers, state, progress } = build()
  progress.start()
  await timers.advance(5_000)
  progress.start()
  expect(state.isShown).toBe(false)
  await timers.advance(200)
  expect(state.isShown).toBe(true)
  await timers.advance(4_999)
  expect(state.isShown).toBe(true)
})
