import { afterEach, expect, test, vi } from 'vitest'

import { testWorker } from '../../support/test-worker.ts'

afterEach(() => void vi.unstubAllEnvs())

test('workers of two suites that run side by side have different numbers', () => {
  const numbers = ['', '1'].flatMap((beside) =>
    ['1', '2', '3', '4'].map((pool) => {
      vi.stubEnv('BAKTER_TEST_BESIDE', beside)
      vi.stubEnv('VITEST_POOL_ID', pool)
      return testWorker()
    }),
  )
  expect(new Set(numbers).size).toBe(8)
  expect(Math.max(...numbers)).toBeLessThan(10)
})
