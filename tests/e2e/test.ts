import { test as base, expect, type Page } from '@playwright/test'
import { Product } from '../support/product.ts'

type Fixtures = { page: Page; expectedErrors: RegExp[] }
type WorkerFixtures = { product: Product }

/** Browser messages that are no defect: a refused request is printed by Chromium itself. */
const ALWAYS_EXPECTED = [/Failed to load resource: the server responded with a status of 4\d\d/]

/**
 * The journeys' test: one product for a worker, and a page that fails the test on an unexpected console.error, an uncaught
 * exception or a violation of the content security policy.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  product: [
    async ({}, use) => {
      const product = await Product.create()
      await product.start()
      await use(product)
      await product.destroy()
    },
    { scope: 'worker', timeout: 900_000 },
  ],
  baseURL: async ({ product }, use) => {
    await use(product.demo.url)
  },
  expectedErrors: async ({}, use) => {
    await use([])
  },
  page: async ({ page, expectedErrors }, use) => {
    const problems: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text())
    })
    page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`))
    await use(page)
    const known = [...ALWAYS_EXPECTED, ...expectedErrors]
    expect(
      problems.filter((problem) => !known.some((pattern) => pattern.test(problem))),
      'unexpected errors in the browser',
    ).toEqual([])
  },
})

export { expect }
