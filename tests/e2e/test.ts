import { test as base, expect, type Page, type TestInfo } from '@playwright/test'
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

const MOST_PAGE_LINES = 45
/** The same on every page. */
const ALIKE = /^- (banner|complementary|navigation|contentinfo|link "Skip)/

/** Attaches each open page as a screen reader has it: a CI's record keeps no pictures. */
async function attachPages(pages: readonly Page[], testInfo: TestInfo): Promise<void> {
  for (const page of pages) {
    const shown = await page
      .locator('body')
      .ariaSnapshot({ timeout: 5_000 })
      .catch((error: unknown) => String(error))
    const lines = shown
      .split(/\n(?=- )/)
      .filter((block) => !ALIKE.test(block))
      .flatMap((block) => block.split('\n'))
    const body = [`Page ${page.url()}`, ...lines.slice(0, MOST_PAGE_LINES)].join('\n')
    await testInfo.attach('page', { body, contentType: 'text/plain' })
  }
}

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
  page: async ({ page, expectedErrors }, use, testInfo) => {
    const problems: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(`${message.text()} ${message.location().url}`)
    })
    page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`))
    await use(page)
    if (testInfo.status !== testInfo.expectedStatus) await attachPages(page.context().pages(), testInfo)
    const seen = [...problems]
    // A request that a handler of the test still asks for would fail with the page's end, and the test with it.
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' })
    const known = [...ALWAYS_EXPECTED, ...expectedErrors]
    const unexpected = seen.filter((problem) => !known.some((pattern) => pattern.test(problem)))
    expect(unexpected, 'unexpected errors in the browser').toEqual([])
  },
})

export { expect }
