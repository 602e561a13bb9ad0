import { expect, it } from 'vitest'
import { isOverloaded, Overloaded } from '#platform/overloaded.ts'

it('an overloaded program says when to come again, also as the cause of another failure', () => {
  const overloaded = new Overloaded('full', { retryAfterSeconds: 7 })
  expect(overloaded).toMatchObject({ code: 'OVERLOADED', retryAfterSeconds: 7 })
  expect(new Overloaded('full').retryAfterSeconds).toBe(2)
  expect(isOverloaded(new Error('route failed', { cause: overloaded }))).toBe(true)
})

it('is known by its code, since bundles hold the class more than once', () => {
  expect(isOverloaded(Object.assign(new Error('full'), { code: 'OVERLOADED' }))).toBe(true)
})

it.each([new Error('other'), undefined, 'OVERLOADED', Object.assign(new Error('x'), { code: '40001' })])(
  'any other failure is none: %s',
  (error) => {
    expect(isOverloaded(error)).toBe(false)
  },
)
