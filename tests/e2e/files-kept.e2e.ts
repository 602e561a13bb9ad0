import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

import type { Page } from '@playwright/test'

import { violations } from '../support/axe.ts'
import { keepSession } from '../support/console-page.ts'
import { openFiles, row } from '../support/files-page.ts'
import { expect, test } from './test.ts'

test.use({ viewport: { width: 1280, height: 1000 } })
test.beforeEach(({ foldersAsFound }) => foldersAsFound)
test.afterEach(({ page }) => keepSession(page))

const code = (page: Page) => page.locator('.cm-content')
const make = async (page: Page, what: 'file' | 'folder', name: string): Promise<void> => {
  await page.getByRole('button', { name: `New ${what}` }).click()
  await page.getByRole('dialog').getByLabel('Name').fill(name)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Create ${what}` })
    .click()
  await expect(row(page, name)).toBeVisible()
}
const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' })

test('a text that is not saved is left by a link, another file or the history only after a question', async ({
  page,
}) => {
  const serverId = await openFiles(page)
  await make(page, 'file', 'typed.txt')
  await row(page, 'typed.txt').dblclick()
  await code(page).click()
  await page.keyboard.type('not saved yet')
  await row(page, 'package.json').dblclick()
  await expect(question(page)).toContainText('They stay in this browser as a draft.')
  expect(await violations(page)).toEqual([])
  await question(page).getByRole('button', { name: 'Keep editing' }).click()
  await page.getByRole('link', { name: 'Console' }).first().click()
  await expect(question(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question(page)).toBeHidden()
  await expect(page).toHaveURL(new RegExp(`/panel/${serverId}/edit/typed.txt$`))
  await code(page).click()
  await page.evaluate(() => window.history.back())
  await expect(question(page)).toBeVisible()
  await question(page).getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(new RegExp(`/panel/${serverId}/files$`))
  await row(page, 'typed.txt').dblclick()
  await page.getByRole('button', { name: 'Use the draft' }).click()
  await expect(code(page)).toContainText('not saved yet')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText(/^Saved at/)).toBeVisible()
  await page.getByRole('link', { name: 'Console' }).first().click()
  await expect(page).toHaveURL(/\/console$/)
})

test('a file that somebody else deletes while it is edited is saved as a new one', async ({ page }) => {
  const serverId = await openFiles(page)
  await make(page, 'file', 'deleted.txt')
  await row(page, 'deleted.txt').dblclick()
  await code(page).click()
  await page.keyboard.type('still wanted')
  const other = await page.context().newPage()
  await other.goto(`/en/panel/${serverId}/files`)
  await row(other, 'deleted.txt').click()
  await other.keyboard.press('Delete')
  await expect(other.getByText('deleted.txt is in the bin.')).toBeVisible()
  await page.keyboard.press('Control+s')
  await expect(page.getByRole('alert').filter({ hasText: 'was deleted or renamed' })).toBeVisible()
  await expect(code(page)).toContainText('still wanted')
  await page.getByRole('button', { name: 'Save as a new file' }).click()
  await expect(page.getByText(/^Saved at/)).toBeVisible()
  await page.reload()
  await expect(code(page)).toContainText('still wanted')
  await other.close()
})

const MANY = 2_500
/** Files in a folder on the node's disk, as a program of the server makes them. */
const fill = (dataDir: string, name: string): string => {
  const servers = path.join(dataDir, 'agent/servers')
  const roots = fs.readdirSync(servers).map((identifier) => path.join(servers, identifier, 'root', name))
  const folder = roots.find((root) => fs.existsSync(root)) ?? ''
  const { uid, gid } = fs.statSync(folder)
  for (let index = 0; index < MANY; index += 1) {
    const file = path.join(folder, `f${String(index).padStart(4, '0')}.txt`)
    fs.writeFileSync(file, '')
    fs.chownSync(file, uid, gid)
  }
  return folder
}

test('all 2,500 files of a folder are chosen by one key, deleted, and are in the bin', async ({ page, dataDir }) => {
  test.setTimeout(480_000)
  await openFiles(page)
  const name = `many-${randomBytes(3).toString('hex')}`
  await make(page, 'folder', name)
  const folder = fill(dataDir, name)
  await row(page, name).dblclick()
  const list = page.getByRole('grid', { name: 'Files in this folder' })
  await expect(row(page, 'f0000.txt')).toBeVisible()
  await list.focus()
  await page.keyboard.press('End')
  await expect(row(page, 'f2499.txt')).toBeVisible()
  await page.keyboard.press('Control+a')
  const bar = page.getByRole('toolbar', { name: 'Actions' })
  await expect(bar.getByRole('status')).toHaveText(/2,500 selected/)
  await page.keyboard.press('Delete')
  await expect(page.getByText('This folder is empty.')).toBeVisible({ timeout: 120_000 })
  expect(fs.readdirSync(folder)).toEqual([])
  const binFolder = path.join(path.dirname(path.dirname(folder)), 'files/bin')
  expect(fs.readdirSync(binFolder).length).toBeGreaterThanOrEqual(MANY)
  const bin = page.locator('details.bin')
  await expect(bin.locator('summary')).toContainText(/2,5\d\d items/, { timeout: 60_000 })
  await bin.locator('summary').click()
  await bin.getByRole('button', { name: 'Empty the bin' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Empty the bin' }).click()
  await expect(bin.locator('summary')).toContainText('empty', { timeout: 120_000 })
  expect(fs.readdirSync(binFolder)).toEqual([])
})
