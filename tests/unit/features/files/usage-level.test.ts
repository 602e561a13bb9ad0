import fc from 'fast-check'
import { expect, it } from 'vitest'
import { usageLevel } from '@/features/files/usage-level.ts'
import { isStorageExceeded } from '../../../../agents/quota/exceeded-storage.ts'

const level = (bytes: number, binBytes = 0, limitBytes = 1_000) => usageLevel({ bytes, binBytes, limitBytes })

it('warns from nine tenths on, says when new files are refused, and when the server cannot run', () => {
  expect([level(899), level(900), level(800, 100)]).toEqual(['fine', 'nearly', 'nearly'])
  expect([level(1_000), level(1_001), level(1_099)]).toEqual(['nearly', 'over', 'over'])
  expect([level(1_100), level(1_000, 100), level(5, 0, 0)]).toEqual(['stopped', 'stopped', 'fine'])
})

it('says that the server cannot run exactly where its node stops it', () => {
  const sizes = fc.tuple(fc.nat(2 ** 40), fc.nat(2 ** 38), fc.integer({ min: 0, max: 2 ** 40 }))
  fc.assert(
    fc.property(sizes, ([bytes, binBytes, limitBytes]) => {
      const isStopped = level(bytes, binBytes, limitBytes) === 'stopped'
      expect(isStopped).toBe(isStorageExceeded({ bytes, binBytes, limitBytes }))
    }),
  )
})
