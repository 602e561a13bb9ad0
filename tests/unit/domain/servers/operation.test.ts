import fc from 'fast-check'
import { expect, it } from 'vitest'
import { changedParts, type Operation } from '#domain/servers/operation.ts'

const operation: fc.Arbitrary<Operation> = fc.record({
  timeZone: fc.constantFrom(null, 'Europe/Budapest', 'UTC'),
  autoStart: fc.boolean(),
  stopTimeoutS: fc.integer({ min: 10, max: 12 }),
})

it('names exactly the parts that differ, in either direction', () => {
  fc.assert(
    fc.property(operation, operation, (one, other) => {
      const parts = changedParts(one, other)
      expect(changedParts(other, one)).toEqual(parts)
      for (const part of ['timeZone', 'autoStart', 'stopTimeoutS'] as const) {
        expect(parts.includes(part)).toBe(one[part] !== other[part])
      }
    }),
  )
})
