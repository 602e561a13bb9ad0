import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { Server } from '../../src/contracts/http/server.ts'
import { violations } from '../support/axe.ts'
import { keepSession } from '../support/console-page.ts'
import { dragFiles } from '../support/dragged-files.ts'
import { openFiles, putFile, rootOf, row } from '../support/files-page.ts'
import { expect, test } from './test.ts'

// Files and folders from the reader's desktop: the browser gets paths of this machine, as from a file manager.

test.use({ viewport: { width: 1280, height: 1000 } })
test.beforeEach(({ foldersAsFound }) => foldersAsFound)
test.afterEach(({ page }) => keepSession(page))

let desktop: string
test.beforeEach(() => {
  desktop = fs.mkdtempSync(path.join(tmpdir(), 'bakter-desktop-'))
})
test.afterEach(() => fs.rmSync(desktop, { recursive: true }))

const onDesktop = (name: string, content: string | Buffer): string => {
  const at = path.join(desktop, name)
  fs.mkdirSync(path.dirname(at), { recursive: true })
  fs.writeFileSync(at, content)
  return at
}

test('files and a folder with folders in it arrive where they are dropped, byte for byte; an empty folder does too', async ({
  page,
  dataDir,
}) => {
  const serverId = await openFiles(page)
  const root = await rootOf(page, { dataDir, serverId })
  const bytes = randomBytes(300_000)
  onDesktop('pack/data/őrs.bin', bytes)
  onDesktop('pack/pack.mcmeta', '{}')
  fs.mkdirSync(path.join(desktop, 'pack/empty/inside'), { recursive: true })
  const files = [onDesktop('note.txt', 'a note'), path.join(desktop, 'pack')]
  const drag = await dragFiles(page, { onto: page.locator('.flist'), files })
  await expect(page.locator('.fpane-over')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await drag.drop()
  await expect(page.locator('.fpane-over')).toHaveCount(0)
  await expect(page.getByText('Uploaded: 3')).toBeVisible({ timeout: 120_000 })
  await expect(row(page, 'note.txt')).toBeVisible()
  expect(fs.readFileSync(path.join(root, 'pack/data/őrs.bin')).equals(bytes)).toBe(true)
  expect(fs.readFileSync(path.join(root, 'pack/pack.mcmeta'), 'utf8')).toBe('{}')
  await expect.poll(() => fs.existsSync(path.join(root, 'pack/empty/inside'))).toBe(true)
})

test('a drop onto a folder goes into it, and names that are taken there are asked about', async ({ page, dataDir }) => {
  const serverId = await openFiles(page)
  const root = await rootOf(page, { dataDir, serverId })
  putFile(root, 'plugins/shop.yml', 'old')
  await page.reload()
  const folder = row(page, 'plugins')
  await expect(folder).toBeVisible()
  const drag = await dragFiles(page, { onto: folder, files: [onDesktop('shop.yml', 'new')] })
  await expect(folder).toHaveClass(/frow-target/)
  await drag.drop()
  await expect(folder).not.toHaveClass(/frow-target/)
  await expect(page.locator('.fpane-over')).toHaveCount(0)
  await page.getByRole('dialog').getByRole('button', { name: 'Overwrite' }).click()
  await expect(page.getByText('Uploaded: 1')).toBeVisible({ timeout: 120_000 })
  expect(fs.readFileSync(path.join(root, 'plugins/shop.yml'), 'utf8')).toBe('new')
  expect(fs.existsSync(path.join(root, 'shop.yml'))).toBe(false)
})

test('a reader who may not create files drops some: nothing is uploaded, the page stays and says why', async ({
  page,
  dataDir,
}) => {
  const serverId = await openFiles(page)
  const root = await rootOf(page, { dataDir, serverId })
  const server = Server.parse(await (await page.request.get(`/api/server/${serverId}`)).json())
  const permissions = server.permissions.filter((permission) => permission !== 'file.create')
  await page.route(`**/api/server/${serverId}`, (route) => route.fulfill({ json: { ...server, permissions } }))
  await page.reload()
  await expect(row(page, 'package.json')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Upload files' })).toHaveCount(0)
  const drag = await dragFiles(page, { onto: page.locator('.flist'), files: [onDesktop('refused.txt', 'no')] })
  await expect(page.locator('.fpane-over')).toHaveCount(0)
  await drag.drop()
  await expect(page.getByText("You don't have permission to create files on this server")).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/panel/${serverId}/files$`))
  expect(fs.existsSync(path.join(root, 'refused.txt'))).toBe(false)
})
