import { test as base, expect, type Page } from '@playwright/test'
import type { DemoFile } from '../support/demo.ts'
import { namesInFolders, removeOthers } from '../support/server-folders.ts'
import { startWorkerDemo, type WorkerDemo } from '../support/worker-demo.ts'

type Fixtures = {
  page: Page
  expectedErrors: RegExp[]
  demo: DemoFile
  dataDir: string
  foldersAsFound: void
  discordPort: number
  paymentPorts: PaymentPorts
}
/** Where the demo looks for the providers. */
type PaymentPorts = { stripe: number; paypal: number; barion: number }

const START_WITHIN_MS = 720_000

/** Chromium prints a refused request by itself; that is no defect of the page. */
const ALWAYS_EXPECTED = [/Failed to load resource: the server responded with a status of 4\d\d/]

/**
 * The journeys' test: the demo of this worker, and a page that fails the test on an unexpected console.error, an uncaught
 * exception or a violation of the content security policy.
 */
export const test = base.extend<Fixtures, { ownDemo: WorkerDemo }>({
  ownDemo: [
    async ({}, use, { parallelIndex: slot, workerIndex: worker }) => {
      const own = await startWorkerDemo({ slot, worker })
      try {
        await use(own)
      } finally {
        await own.demo.stop()
      }
    },
    { scope: 'worker', timeout: START_WITHIN_MS },
  ],
  demo: async ({ ownDemo }, use) => {
    await use(ownDemo.demo.file)
  },
  dataDir: async ({ ownDemo }, use) => {
    await use(ownDemo.demo.dataDir)
  },
  // A list shows the rows of its window alone: those of a journey do not stand below what others left.
  foldersAsFound: async ({ dataDir }, use) => {
    const found = namesInFolders(dataDir)
    await use()
    removeOthers(dataDir, found)
  },
  discordPort: async ({ ownDemo }, use) => {
    await use(ownDemo.discordPort)
  },
  paymentPorts: async ({ ownDemo }, use) => {
    await use({ stripe: ownDemo.stripePort, paypal: ownDemo.paypalPort, barion: ownDemo.barionPort })
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
      if (message.type() === 'error') problems.push(`${message.text()} ${message.location().url}`)
    })
    page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`))
    await use(page)
    const seen = [...problems]
    // A request that a handler of the test still asks for would fail with the page's end, and the test with it.
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' })
    const known = [...ALWAYS_EXPECTED, ...expectedErrors]
    const unexpected = seen.filter((problem) => !known.some((pattern) => pattern.test(problem)))
    expect(unexpected, 'unexpected errors in the browser').toEqual([])
  },
})

export { expect }
