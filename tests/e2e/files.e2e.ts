import fs from 'node:fs'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import type { Page } from '@playwright/test'

import { Server } from '../../src/contracts/http/server.ts'
import { zipOf } from '../support/archives.ts'
import { violations } from '../support/axe.ts'
import { keepSession } from '../support/console-page.ts'
import { openFiles, row, seeActivities } from '../support/files-page.ts'
import { expect, test } from './test.ts'

// A list shows the rows of its window alone, and a drag begins and ends in sight: the list does not scroll under it.
test.use({ viewport: { width: 1280, height: 1600 } })
test.beforeEach(({ foldersAsFound }) => foldersAsFound)
test.afterEach(({ page }) => keepSession(page))

const list = (page: Page) => page.getByRole('grid', { name: 'Files in this folder' })
/** Other names may begin with the same letters. */
const exactRow = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) })
const code = (page: Page) => page.locator('.cm-content')

const name = async (page: Page, button: string, text: string, submit: string): Promise<void> => {
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('dialog').getByLabel('Name').fill(text)
  await page.getByRole('dialog').getByRole('button', { name: submit }).click()
}

test('a customer makes, writes, renames, moves, deletes and restores files, and the log says so', async ({ page }) => {
  const serverId = await openFiles(page)
  await name(page, 'New folder', 'plugins', 'Create folder')
  await name(page, 'New file', 'motd.properties', 'Create file')
  await name(page, 'New file', 'plugins', 'Create file')
  await expect(page.getByRole('dialog')).toContainText('plugins already exists here.')
  await page.keyboard.press('Escape')

  // The name is unknown to the page, so the node refuses it, and nothing is lost.
  await row(page, 'motd.properties').dblclick()
  await expect(page).toHaveURL(new RegExp(`/panel/${serverId}/edit/motd.properties$`))
  await code(page).click()
  await page.keyboard.type('motd=Watch')
  await page.keyboard.press('Control+s')
  await expect(page.getByText(/^Saved at/)).toBeVisible()
  await page.reload()
  await expect(code(page)).toContainText('motd=Watch')

  await page.getByRole('button', { name: 'Close the file' }).filter({ visible: true }).click()
  await row(page, 'motd.properties').click()
  await page.keyboard.press('F2')
  // The name without its ending is selected, so that typing replaces it.
  await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused()
  await page.keyboard.type('welcome')
  await expect(page.getByRole('dialog').getByLabel('Name')).toHaveValue('welcome.properties')
  await page.keyboard.press('Enter')
  await expect(row(page, 'welcome.properties')).toBeVisible()
  await row(page, 'welcome.properties').dragTo(row(page, 'plugins'))
  await expect(row(page, 'welcome.properties')).toHaveCount(0)
  await row(page, 'plugins').dblclick()
  await expect(row(page, 'welcome.properties')).toBeVisible()

  await row(page, 'welcome.properties').click()
  await page.keyboard.press('Delete')
  await expect(page.getByText('welcome.properties is in the bin.')).toBeVisible()
  await expect(page.getByText('This folder is empty.')).toBeVisible()
  await page.locator('summary').filter({ hasText: 'Bin' }).click()
  await page.getByRole('button', { name: 'Restore plugins/welcome.properties' }).click()
  await expect(row(page, 'welcome.properties')).toBeVisible()
  await seeActivities(page, [
    'Created a folder',
    'Saved a file',
    'Renamed or moved',
    'Deleted',
    'Restored from the bin',
  ])
})

test('two browsers edit one file: the second one compares, keeps both, and nothing is lost', async ({ page }) => {
  const serverId = await openFiles(page)
  await name(page, 'New file', 'shared.txt', 'Create file')
  await expect(row(page, 'shared.txt')).toBeVisible()
  const other = await page.context().newPage()
  for (const each of [page, other]) {
    await each.goto(`/en/panel/${serverId}/edit/shared.txt`)
    await expect(code(each)).toBeVisible()
  }
  await code(page).click()
  await page.keyboard.type('first line of one\n')
  await page.keyboard.press('Control+s')
  await expect(page.getByText(/^Saved at/)).toBeVisible()
  await code(other).click()
  await other.keyboard.type('first line of two\n')
  await other.keyboard.press('Control+s')
  await expect(other.getByRole('alert').filter({ hasText: 'Nothing is lost' })).toBeVisible()
  await expect(code(other)).toContainText('first line of two')
  await other.getByRole('button', { name: 'Compare' }).click()
  await other.getByRole('button', { name: 'Keep both' }).click()
  await other.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(other.getByText(/^Saved at/)).toBeVisible()
  await page.reload()
  await expect(code(page)).toContainText('first line of one')
  await expect(code(page)).toContainText('first line of two')
  await page.getByRole('button', { name: 'Earlier versions' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Return to it' }).first().click()
  await expect(code(page)).not.toContainText('first line of two')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText(/^Saved at/)).toBeVisible()
  await other.close()
})

test('text that was typed and not saved is offered again, and leaving asks', async ({ page }) => {
  const serverId = await openFiles(page)
  await name(page, 'New file', 'draft.txt', 'Create file')
  await expect(row(page, 'draft.txt')).toBeVisible()
  await page.goto(`/en/panel/${serverId}/edit/draft.txt`)
  await code(page).click()
  await page.keyboard.type('not saved yet')
  await expect(page.getByText(/^Draft in this browser/)).toBeVisible()
  const kept = await page.evaluate(() => Object.keys(localStorage).find((key) => key.startsWith('files-draft:')) ?? '')
  const asked = page.waitForEvent('dialog')
  const reloading = page.reload()
  await (await asked).accept()
  await reloading
  // Meanwhile somebody else saves: the draft is compared with it, and replaces nothing unseen.
  const other = await page.context().newPage()
  await other.goto(`/en/panel/${serverId}/edit/draft.txt`)
  await other.getByRole('button', { name: 'Discard it' }).click()
  await code(other).click()
  await other.keyboard.type('saved by another')
  await other.keyboard.press('Control+s')
  await expect(other.getByText(/^Saved at/)).toBeVisible()
  await page.evaluate((key) => {
    const draft = { text: 'not saved yet', etag: '"old"', atMs: Date.now() }
    localStorage.setItem(key, JSON.stringify(draft))
  }, kept)
  await page.goto(`/en/panel/${serverId}/edit/draft.txt`)
  await page.getByRole('button', { name: 'Use the draft' }).click()
  await expect(page.locator('.cm-deletedChunk')).toContainText('saved by another')
  await expect(code(page)).toContainText('not saved yet')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText(/^Saved at/)).toBeVisible()

  await code(other).click()
  await other.keyboard.type(' again')
  await other.keyboard.press('Control+s')
  await other.getByRole('button', { name: 'Discard mine' }).click()
  await expect(code(other)).toHaveText('not saved yet')
  await other.close()
})

test('a folder is uploaded with its paths; taken names ask once; a file is downloaded byte for byte', async ({
  page,
}) => {
  await openFiles(page)
  const folder = mkdtempSync(path.join(tmpdir(), 'bakter-upload-'))
  const pack = path.join(folder, 'pack')
  fs.mkdirSync(path.join(pack, 'data/minecraft'), { recursive: true })
  for (let index = 0; index < 40; index += 1)
    fs.writeFileSync(path.join(pack, `data/minecraft/f${index}.txt`), `text ${index}`)
  fs.writeFileSync(path.join(pack, 'pack.mcmeta'), '{}')
  const inputs = page.locator('input[type=file]')
  await inputs.first().setInputFiles(pack)
  await expect(page.getByText('Uploaded: 41')).toBeVisible({ timeout: 120_000 })
  await exactRow(page, 'pack').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Size' }).click()
  // Two folders, 40 texts and the description.
  await expect(page.getByText(/^pack takes .*: 43 items\.$/)).toBeVisible()
  await exactRow(page, 'pack').dblclick()
  await expect(row(page, 'pack.mcmeta')).toBeVisible()

  fs.writeFileSync(path.join(folder, 'pack.mcmeta'), '{"new":true}')
  await inputs.last().setInputFiles(path.join(folder, 'pack.mcmeta'))
  await page.getByRole('dialog').getByRole('button', { name: 'Keep both' }).click()
  await expect(row(page, 'pack (2).mcmeta')).toBeVisible()
  await row(page, 'pack (2).mcmeta').click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('pack (2).mcmeta')
  expect(fs.readFileSync(await download.path(), 'utf8')).toBe('{"new":true}')
  fs.rmSync(folder, { recursive: true })
})

test('by keyboard alone: to a folder and back, a choice, the menu; nothing for axe in any state', async ({ page }) => {
  await openFiles(page)
  await name(page, 'New folder', 'alpha', 'Create folder')
  await name(page, 'New file', 'beta.txt', 'Create file')
  await expect(row(page, 'beta.txt')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await list(page).focus()
  await page.keyboard.press('Home')
  await expect(row(page, 'alpha')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\?path=alpha$/)
  await expect(page.getByText('This folder is empty.')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.goBack()
  await expect(row(page, 'beta.txt')).toBeVisible()
  await list(page).focus()
  await page.keyboard.type('be')
  await expect(row(page, 'beta.txt')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Shift+ArrowUp')
  await expect(page.getByRole('row', { selected: true })).toHaveCount(2)
  await page.keyboard.press('Shift+F10')
  await expect(page.getByRole('menu')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)

  await page.getByRole('button', { name: 'Search files' }).click()
  await expect(page.locator('.fsearch input').first()).toBeFocused()
  await page.keyboard.type('beta')
  await expect(page.getByText('1 match')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'beta.txt' }).click()
  await expect(code(page)).toBeVisible()
  expect(await violations(page)).toEqual([])
})

test('a customer makes an archive, extracts one and reads what was left out', async ({ page }) => {
  await openFiles(page)
  const upload = page.locator('input[type=file]').last()
  const entries = [
    { name: 'plugin/config.yml', content: 'a: 1' },
    { name: '../escape.txt', content: 'no' },
  ]
  await upload.setInputFiles({ name: 'plugin.zip', mimeType: 'application/zip', buffer: zipOf(entries) })
  await expect(row(page, 'plugin.zip')).toBeVisible()
  await row(page, 'plugin.zip').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Extract…' }).click()
  expect(await violations(page)).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Extract' }).click()
  const jobs = page.getByRole('list', { name: 'Work in progress' })
  await expect(jobs).toContainText('plugin.zip is extracted')
  await expect(jobs).toContainText('1 item was left out:')
  await expect(jobs).toContainText('../escape.txt its name leads out of the folder')
  expect(await violations(page)).toEqual([])
  await jobs.getByRole('button', { name: 'Close: plugin.zip' }).click()
  // The list still names jobs that other tests of this server left.
  await expect(page.getByText('plugin.zip is extracted')).toHaveCount(0)

  await page.getByRole('row', { name: /^Select plugin plugin /u }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Compress…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Name of the archive')).toHaveValue('plugin')
  await dialog.getByRole('button', { name: 'Compress' }).click()
  await expect(dialog).toContainText('plugin.zip already exists here.')
  await dialog.getByLabel(/^tar\.zst/).check()
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Compress' }).click()
  await expect(row(page, 'plugin.tar.zst')).toBeVisible()
  await expect(jobs).toContainText('plugin.tar.zst is ready')

  await upload.setInputFiles({ name: 'noise.zip', mimeType: 'application/zip', buffer: Buffer.from('no archive') })
  await row(page, 'noise.zip').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Extract…' }).click()
  await dialog.getByRole('button', { name: 'Extract' }).click()
  await expect(dialog).toContainText("noise.zip can't be extracted: it is damaged")
})

test('a long archive goes on while its page is reloaded, shows its progress, and is cancelled', async ({
  page,
  dataDir,
}) => {
  const serverId = await openFiles(page)
  const { identifier } = Server.parse(await (await page.request.get(`/api/server/${serverId}`)).json())
  // So long that its archive takes more than a minute, and nothing on the disk.
  const large = path.join(dataDir, 'agent/servers', identifier, 'root/world.bin')
  fs.writeFileSync(large, '')
  fs.truncateSync(large, 64 * 1024 ** 3)
  await page.reload()
  await row(page, 'world.bin').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Compress…' }).click()
  await page
    .getByRole('dialog')
    .getByLabel(/^tar\.gz/)
    .check()
  await page.getByRole('dialog').getByRole('button', { name: 'Compress' }).click()
  const jobs = page.getByRole('list', { name: 'Work in progress' })
  await expect(jobs).toContainText('Compressing to world.bin.tar.gz')
  await page.reload()
  await expect(jobs).toContainText('Compressing to world.bin.tar.gz')
  await expect(jobs).toContainText(/\/\s64\sGB/)
  await jobs.getByRole('button', { name: 'Cancel: world.bin.tar.gz' }).click()
  await expect(jobs).toContainText('Cancelled: world.bin.tar.gz. Nothing was changed.')
  await expect(row(page, 'world.bin.tar.gz')).toHaveCount(0)
})
