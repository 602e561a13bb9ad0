import { expect, test } from 'vitest'
import { forgetKeptPages } from '../../../src/server/forget-pages.ts'

test('Pages in memory are forgotten before Next is told, and once more after that', async () => {
  const order: string[] = []
  const forget = forgetKeptPages(
    { forget: () => order.push('memory') },
    async (tags) => void order.push(`next ${String(tags)}`),
  )
  await forget(['news'])
  expect(order).toEqual(['memory', 'next news', 'memory'])
})

test('Pages in memory are forgotten though Next cannot be told, and the failure is known', async () => {
  let count = 0
  const forget = forgetKeptPages({ forget: () => (count += 1) }, () => Promise.reject(new Error('refused')))
  await expect(forget(['news'])).rejects.toThrow('refused')
  expect(count).toBe(2)
})
