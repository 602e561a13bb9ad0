import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { startClamd, type ClamdEmulator } from '../emulators/clamd/clamd-server.ts'
import { violations } from '../support/axe.ts'
import { EICAR, zipOf } from '../support/eicar.ts'
import { arrive } from '../support/journey.ts'
import { openTicket } from '../support/open-ticket.ts'
import { startWorkerDemo, type WorkerDemo } from '../support/worker-demo.ts'
import { expect, test as base } from './test.ts'

// Files of tickets where the installation has a virus scanner.

const test = base.extend<object, { scanner: ClamdEmulator; ownDemo: WorkerDemo }>({
  scanner: [
    async ({}, use) => {
      const scanner = await startClamd()
      await use(scanner)
      await scanner.close()
    },
    { scope: 'worker' },
  ],
  ownDemo: [
    async ({ scanner }, use, { parallelIndex: slot, workerIndex: worker }) => {
      const own = await startWorkerDemo({ slot, worker, env: { CLAMD_URL: `tcp://127.0.0.1:${scanner.port}` } })
      try {
        await use(own)
      } finally {
        await own.demo.stop()
      }
    },
    { scope: 'worker', timeout: 720_000 },
  ],
})

const row = (page: Page, name: string) => page.locator('.att-row').filter({ hasText: name })
const attach = async (page: Page, name: string, bytes: Buffer | string) => {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Attach files' }).click()
  await (await chooser).setFiles([{ name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) }])
}
const screenshot = (): Promise<Buffer> =>
  sharp({ create: { width: 64, height: 48, channels: 3, background: { r: 20, g: 90, b: 200 } } })
    .png()
    .toBuffer()

test('files with a virus are refused for good, those without a verdict for now, and the others are sent', async ({
  page,
  scanner,
  expectedErrors,
}) => {
  test.setTimeout(240_000)
  expectedErrors.push(/Failed to load resource: the server responded with a status of 503/)
  await arrive(page)
  const id = await openTicket(page)
  await page.goto(`/en/dashboard/ticket/${id}`)
  const reply = page.getByRole('textbox', { name: 'Reply' })
  await reply.fill('Here they are.')

  await test.step('a log, an archive and a picture with a virus say so, and cannot be tried again', async () => {
    await attach(page, 'latest.log', EICAR)
    await attach(page, 'world.zip', await zipOf('a/b.txt', EICAR))
    await attach(page, 'shot.png', Buffer.concat([await screenshot(), Buffer.from(EICAR)]))
    for (const name of ['latest.log', 'world.zip', 'shot.png'])
      await expect(row(page, name)).toContainText('Our virus scanner found something harmful in this file')
    await expect(page.getByRole('button', { name: /^Try again/ })).toHaveCount(0)
    expect(await violations(page)).toEqual([])
    for (const name of ['latest.log', 'world.zip', 'shot.png'])
      await page.getByRole('button', { name: `Remove: ${name}` }).click()
  })

  await test.step('while the scanner is away a file waits beside the message, and is sent once it is back', async () => {
    scanner.set('closes at once')
    await attach(page, 'server.log', 'It stops at three')
    await attach(page, 'shot.png', await screenshot())
    for (const name of ['server.log', 'shot.png'])
      await expect(row(page, name)).toContainText("We can't check files for viruses right now.")
    expect(await violations(page)).toEqual([])
    scanner.set('nothing')
    for (const name of ['server.log', 'shot.png']) {
      await page.getByRole('button', { name: `Try again: ${name}` }).press('Enter')
      await expect(row(page, name)).toHaveAttribute('data-state', 'done')
    }
    await reply.press('Control+Enter')
    await expect(page.locator('.tk-line').last().getByRole('link', { name: 'server.log' })).toBeVisible()
    await expect(page.locator('.att-row')).toHaveCount(0)
  })
})
