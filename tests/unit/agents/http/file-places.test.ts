import { expect, it } from 'vitest'
import { OVERLOAD } from '#contracts/overload.ts'
import { FilePlaces } from '../../../../agents/http/file-places.ts'
import { ManualClock } from '../../../setup/manual-clock.ts'

const { all, perUser, calls } = OVERLOAD.agent.files
const busy = expect.objectContaining({ code: 'BUSY' }) as Error

it('nobody holds more than their share, and a place that is left is free again', () => {
  const places = new FilePlaces(new ManualClock())
  const left = Array.from({ length: perUser }, () => places.take('a', true))
  expect(() => places.take('a', true)).toThrow(busy)
  expect(() => places.take('b', true)).not.toThrow()
  left[0]?.()
  expect(() => places.take('a', true)).not.toThrow()
})

it('all together hold no more than the node has', () => {
  const places = new FilePlaces(new ManualClock())
  for (let index = 0; index < all; index += 1) places.take(`user ${index}`, true)
  expect(() => places.take('one more', true)).toThrow(busy)
})

it('calls without end are refused, and go on as time passes; transfers do not count', () => {
  const clock = new ManualClock()
  const places = new FilePlaces(clock)
  for (let index = 0; index < calls.burst; index += 1) places.take('a', false)()
  expect(() => places.take('a', false)).toThrow(busy)
  expect(() => places.take('a', true)).not.toThrow()
  clock.set(clock.now() + (calls.seconds * 1_000) / calls.rate)
  expect(() => places.take('a', false)).not.toThrow()
})
