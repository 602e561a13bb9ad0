import { expect, test } from 'vitest'
import { createAttemptKeys } from '../../../../src/lib/browser-client/attempt-keys.ts'

test('an attempt keeps its key until its body changes or it is settled, whatever goes to other paths', () => {
  let made = 0
  const keys = createAttemptKeys(() => `k${(made += 1)}`)
  expect(keys.keyFor('/api/orders', { months: 1 })).toBe('k1')
  expect(keys.keyFor('/api/premium', { months: 1 })).toBe('k2')
  expect(keys.keyFor('/api/orders', { months: 1 })).toBe('k1')
  expect(keys.keyFor('/api/orders', { months: 2 })).toBe('k3')
  keys.settle('/api/premium')
  expect(keys.keyFor('/api/orders', { months: 2 })).toBe('k3')
  keys.settle('/api/orders')
  expect(keys.keyFor('/api/orders', { months: 2 })).toBe('k4')
})
