import { expect, test, vi } from 'vitest'
import { createAnswerAge } from '../../../../src/lib/browser-client/answer-age.ts'
import { ManualClock } from '../../../setup/manual-clock.ts'

test('an answer with an age says of which moment the account is, and one without that it is of the present', () => {
  const clock = new ManualClock(1_000_000)
  const age = createAnswerAge(clock.now)
  const heard = vi.fn<() => void>()
  const stop = age.subscribe(heard)
  age.note('/api/user/me', '100')
  expect(age.asOfMs()).toBe(900_000)
  age.note('/api/user/servers?limit=5', null)
  expect(age.asOfMs()).toBeNull()
  expect(heard).toHaveBeenCalledTimes(2)
  stop()
  age.note('/api/user/me', '100')
  expect(heard).toHaveBeenCalledTimes(2)
})

test('answers of other calls say nothing of the age of an account', () => {
  const age = createAnswerAge(() => 1_000_000)
  age.note('/api/user/me', '100')
  age.note('/api/services', null)
  expect(age.asOfMs()).toBe(900_000)
})

test('the moment stays where it is while the age only grows with the time', () => {
  const clock = new ManualClock(1_000_000)
  const age = createAnswerAge(clock.now)
  age.note('/api/user/me', '100')
  clock.advance(10_900)
  age.note('/api/balance', '110')
  expect(age.asOfMs()).toBe(900_000)
})
