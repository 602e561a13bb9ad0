import { expect, test } from 'vitest'
import { forgetKeptPages } from '../../../src/server/forget-pages.ts'

test('The page memory is cleared before and after Next is told', async () => {
  const order: string[] = []
  const forget = forgetKeptPages(
    { forget: () => order.push('memory') },
    async (tags) => void order.push(`next ${String(tags)}`),
  )
  await forget(['news'])
  expect(order).toEqual(['memory', 'next news', 'memory'])
})

test('The page memory is cleared even if Next cannot be told, and the failure is reported', async () => {
  let count = 0
  const forget = forgetKeptPages({ forget: () => (count += 1) }, () => Promise.reject(new Error('refused')))
  await expect(forget(['news'])).rejects.toThrow('refused')
  expect(count).toBe(2)
})
