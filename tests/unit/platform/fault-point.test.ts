import { expect, it } from 'vitest'
import { faultPointsOf } from '#platform/fault-point.ts'

it('the named point fails at the visit of the plan, once, and no other does', async () => {
  const faults = faultPointsOf({ name: 'a', visit: 2, action: 'throw', delayMs: 0 })
  await faults('b')
  await faults('a')
  await expect(faults('a')).rejects.toThrow('fault point a')
  await faults('a')
})

it('without a plan nothing happens', async () => {
  await expect(faultPointsOf(undefined)('a')).resolves.toBeUndefined()
})
