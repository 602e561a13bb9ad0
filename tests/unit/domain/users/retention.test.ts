import { expect, test } from 'vitest'
import { KEPT_DAYS, keptSinceMs } from '../../../../src/domain/users/retention.ts'

test('the times of clarifications, part 3; years are counted long', () => {
  expect(KEPT_DAYS).toEqual({ activities: 180, logs: 30, tickets: 1_830, invoices: 2_928 })
  expect(keptSinceMs('logs', 30 * 86_400_000)).toBe(0)
})
