import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { devices, type Page } from '@playwright/test'

import { keepSession } from '../support/console-page.ts'
import { openFiles, row } from '../support/files-page.ts'
import { expect, test } from './test.ts'

test.beforeEach(({ foldersAsFound }) => foldersAsFound)
test.afterEach(({ page }) => keepSession(page))

const sumsOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    fs
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const at = path.join(entry.parentPath, entry.name)
        return [path.relative(folder, at), createHash('sha256').update(fs.readFileSync(at)).digest('hex')] as const
      })
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  )

/** The folder on the node's disk, of whichever server has it. */
const onNode = (dataDir: string, name: string): string => {
  const servers = path.join(dataDir, 'agent/servers')
  const roots = fs.readdirSync(servers).map((identifier) => path.join(servers, identifier, 'root', name))
  return roots.find((root) => fs.existsSync(root)) ?? ''
}

/** The uploads of small files after so many wait until they are let go: the page is in the middle for as long as a test needs. */
const holdUploadsAfter = async (page: Page, count: number): Promise<() => void> => {
  let sent = 0
  let letGo = () => {}
  const isOver = new Promise<void>((done) => (letGo = done))
  await page.route(/\/servers\/[0-9a-f-]{36}\/files\//, async (route) => {
    if (route.request().method() === 'PUT' && (sent += 1) > count) await isOver
    return route.continue().catch(() => {})
  })
  return () => letGo()
}

test('a folder of 2,000 files survives a connection that is cut in the middle', async ({
  page,
  dataDir,
  expectedErrors,
}) => {
  test.setTimeout(480_000)
  expectedErrors.push(/ERR_INTERNET_DISCONNECTED|Failed to load resource|WebSocket/)
  await openFiles(page)
  const folder = fs.mkdtempSync(path.join(tmpdir(), 'bakter-upload-'))
  const name = `many-${randomBytes(3).toString('hex')}`
  for (let index = 0; index < 2_000; index += 1) {
    const file = path.join(folder, name, `d${index % 10}`, `f${index}.bin`)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, randomBytes(index % 50 === 0 ? 200_000 : 500))
  }
  const letGo = await holdUploadsAfter(page, 300)
  await page.locator('input[type=file]').first().setInputFiles(path.join(folder, name))
  // Beside it there may be notes about downloads from the web that have ended.
  const tray = page.locator('div.ftray')
  await expect(tray).toContainText(/Uploading: (?:2[5-9]\d|300) of 2000/, { timeout: 120_000 })
  await page.context().setOffline(true)
  letGo()
  await expect(tray).toContainText('The upload was interrupted.')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.context().setOffline(false)
  await expect(page.getByText('Uploaded: 2000')).toBeVisible({ timeout: 180_000 })
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(sumsOf(onNode(dataDir, name))).toEqual(sumsOf(path.join(folder, name)))
  fs.rmSync(folder, { recursive: true })
})

test('a picture whose bytes are read again while it loads is shown all the same', async ({ page, expectedErrors }) => {
  expectedErrors.push(/ERR_FILE_NOT_FOUND/)
  await openFiles(page)
  const name = `again-${randomBytes(3).toString('hex')}.png`
  const upload = (file: string, buffer: Buffer) =>
    page.locator('input[type=file]').last().setInputFiles({ name: file, mimeType: 'image/png', buffer })
  await upload(name, await page.screenshot())
  await expect(page.getByText('Uploaded: 1')).toBeVisible({ timeout: 120_000 })
  // The first address is gone before the browser has read it, as when the next reading arrives meanwhile.
  await page.evaluate(() => {
    const make = URL.createObjectURL.bind(URL)
    URL.createObjectURL = (of) => {
      URL.createObjectURL = make
      const address = make(of)
      URL.revokeObjectURL(address)
      return address
    }
  })
  await row(page, name).dblclick()
  await expect(page.getByText("This picture can't be shown")).toBeVisible()
  await upload(`other-${name}`, Buffer.from('another file of the folder'))
  await expect(page.getByRole('img', { name: new RegExp(name) })).toBeVisible()
})

test.describe('on a phone', () => {
  const { viewport } = devices['Pixel 7']
  test.use({ viewport, hasTouch: true, isMobile: true })

  test('a finger uploads a picture, and opens it', async ({ page, dataDir }) => {
    await openFiles(page)
    const picture = await page.screenshot()
    const name = `photo-${randomBytes(3).toString('hex')}.png`
    await page.locator('input[type=file]').last().setInputFiles({ name, mimeType: 'image/png', buffer: picture })
    await expect(page.getByText('Uploaded: 1')).toBeVisible({ timeout: 120_000 })
    await row(page, name).tap()
    const shown = page.getByRole('img', { name: new RegExp(name) })
    await expect(shown).toBeVisible()
    const widthOf = () => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)
    await expect.poll(widthOf).toBeGreaterThanOrEqual(viewport.width)
    expect(fs.readFileSync(onNode(dataDir, name)).equals(picture)).toBe(true)
  })
})
