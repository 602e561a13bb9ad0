import { expect, test } from 'vitest'

import { expectConsole } from '../../setup/fail-on-console.ts'
import { ManualClock } from '../../setup/manual-clock.ts'

test('a sleeper wakes when the clock passes its time, not before', async () => {
  const clock = new ManualClock('2026-01-01T00:00:00Z')
  const woken: string[] = []
  const late = clock.sleep(2_000).then(() => woken.push('late'))
  const early = clock.sleep(1_000).then(() => woken.push('early'))
  clock.advance(999)
  await Promise.resolve()
  expect(woken).toEqual([])
  clock.advance(1)
  await early
  expect(clock.sleepers).toBe(1)
  clock.set('2026-01-01T00:00:05Z')
  await late
  expect(woken).toEqual(['early', 'late'])
  expect(new Date(clock.now()).toISOString()).toBe('2026-01-01T00:00:05.000Z')
})

test('an aborted sleeper rejects and is forgotten', async () => {
  const clock = new ManualClock()
  const controller = new AbortController()
  const sleeping = clock.sleep(1_000, controller.signal)
  controller.abort(new Error('enough'))
  await expect(sleeping).rejects.toThrow('enough')
  expect(clock.sleepers).toBe(0)
})

test('an announced console message is no failure', () => {
  expectConsole('warn', 'as announced')
  console.warn('as %s', 'announced')
})
