import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { test as base, expect, type Page } from '@playwright/test'
import type { DemoFile } from '../support/demo.ts'

type Fixtures = { page: Page; expectedErrors: RegExp[]; demo: DemoFile; dataDir: string }

/** Chromium prints a refused request by itself; that is no defect of the page. */
const ALWAYS_EXPECTED = [/Failed to load resource: the server responded with a status of 4\d\d/]

const demoFile = (): string => {
  const file = process.env['BAKTER_DEMO_FILE']
  if (file === undefined) throw new Error('The global set-up has started no demo.')
  return file
}

/**
 * The journeys' test: the demo that the global set-up runs, and a page that fails the test on an unexpected console.error,
 * an uncaught exception or a violation of the content security policy.
 */
export const test = base.extend<Fixtures>({
  demo: async ({}, use) => {
    await use(JSON.parse(readFileSync(demoFile(), 'utf8')) as DemoFile)
  },
  dataDir: async ({}, use) => {
    await use(dirname(demoFile()))
  },
  baseURL: async ({ demo }, use) => {
    await use(demo.url)
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
    const unexpected = problems.filter((problem) => !known.some((pattern) => pattern.test(problem)))
    expect(unexpected, 'unexpected errors in the browser').toEqual([])
  },
})

export { expect }
