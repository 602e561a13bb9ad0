import fs from 'node:fs'
import path from 'node:path'

import type { Locator, Page } from '@playwright/test'

import { violations } from '../support/axe.ts'
import { keepSession } from '../support/console-page.ts'
import { code, dialog, openFiles, putFile, rootOf, row } from '../support/files-page.ts'
import { tabTo } from '../support/tab-to.ts'
import { expect, test } from './test.ts'

// A day with files, once by keyboard alone and once by a finger alone.

test.beforeEach(({ foldersAsFound }) => foldersAsFound)
test.afterEach(({ page }) => keepSession(page))

const list = (page: Page) => page.getByRole('grid', { name: 'Files in this folder' })
const bin = (page: Page) => page.locator('details.bin')
const MOST_STOPS = 60
/** Presses Tab until the element has the focus, also one in the editor's own tree. */
const reach = async (page: Page, element: Locator): Promise<void> => {
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    if (await element.evaluate((each) => each.matches(':focus'))) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${String(element)}.`)
}
const modeOf = (file: string): string => (fs.statSync(file).mode & 0o777).toString(8)
const emptied = async (page: Page, root: string): Promise<void> => {
  await expect(bin(page).locator('summary')).toContainText('empty', { timeout: 60_000 })
  expect(fs.readdirSync(path.join(path.dirname(root), 'files/bin'))).toEqual([])
}

/** Reaches the list by Tab, and a row in it by its letters. */
const reachRow = async (page: Page, name: string): Promise<void> => {
  await tabTo(page, 'button', 'Changed')
  await page.keyboard.press('Tab')
  await expect(list(page)).toBeFocused()
  await page.keyboard.type(name)
  await expect(row(page, name)).toHaveAttribute('aria-selected', 'true')
}

/** Chooses an action of the menu by its arrows. */
const chooseAction = async (page: Page, name: string): Promise<void> => {
  await page.keyboard.press('Shift+F10')
  const wanted = page.getByRole('menuitem', { name })
  await expect(page.getByRole('menu')).toBeVisible()
  for (let step = 0; step < 20; step += 1) {
    if (await wanted.evaluate((item) => item === document.activeElement)) break
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
}

test('by keyboard alone: permissions are set, a folder is made, a file goes into it, is deleted, restored and edited, and the bin is emptied', async ({
  page,
  dataDir,
}) => {
  test.setTimeout(240_000)
  const serverId = await openFiles(page)
  const root = await rootOf(page, { dataDir, serverId })
  putFile(root, 'start.sh', '#!/bin/sh\n')
  fs.chmodSync(path.join(root, 'start.sh'), 0o644)
  await page.reload()
  await expect(row(page, 'start.sh')).toBeVisible()

  await test.step('the file can be run', async () => {
    await reachRow(page, 'start.sh')
    await chooseAction(page, 'Permissions…')
    await tabTo(dialog(page), 'checkbox', 'Run')
    await page.keyboard.press('Space')
    await expect(dialog(page).getByLabel('As a number')).toHaveValue('744')
    expect(await violations(page)).toEqual([])
    await tabTo(dialog(page), 'button', 'Save')
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toHaveCount(0)
    await expect.poll(() => modeOf(path.join(root, 'start.sh'))).toBe('744')
    await expect(list(page)).toBeFocused()
  })

  await test.step('a number of three digits, and no other, is taken', async () => {
    await chooseAction(page, 'Permissions…')
    const number = dialog(page).getByLabel('As a number')
    await tabTo(dialog(page), 'textbox', 'As a number')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('99')
    await expect(dialog(page)).toContainText('Three digits from 0 to 7.')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('600')
    await expect(number).toHaveValue('600')
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toHaveCount(0)
    await expect.poll(() => modeOf(path.join(root, 'start.sh'))).toBe('600')
  })

  await test.step('cut and pasted into a new folder', async () => {
    await tabTo(page, 'button', 'New folder')
    await page.keyboard.press('Enter')
    await page.keyboard.type('scripts')
    await page.keyboard.press('Enter')
    await expect(row(page, 'scripts')).toBeVisible()
    await reachRow(page, 'start.sh')
    await page.keyboard.press('Control+x')
    await page.keyboard.press('Escape')
    await page.keyboard.type('scripts')
    await expect(row(page, 'scripts')).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Enter')
    await expect(page.getByText('This folder is empty.')).toBeVisible()
    await tabTo(page, 'button', 'Paste')
    await page.keyboard.press('Enter')
    await expect(row(page, 'start.sh')).toBeVisible()
    expect(fs.existsSync(path.join(root, 'scripts/start.sh'))).toBe(true)
  })

  await test.step('deleted and restored', async () => {
    await reachRow(page, 'start.sh')
    await page.keyboard.press('Delete')
    await expect(page.getByText('start.sh is in the bin.')).toBeVisible()
    await expect.poll(() => fs.existsSync(path.join(root, 'scripts/start.sh'))).toBe(false)
    await reach(page, bin(page).locator('summary'))
    await page.keyboard.press('Enter')
    await tabTo(page, 'button', 'Restore scripts/start.sh')
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await expect(row(page, 'start.sh')).toBeVisible()
    expect(modeOf(path.join(root, 'scripts/start.sh'))).toBe('600')
  })

  await test.step('opened, written and saved', async () => {
    await reachRow(page, 'start.sh')
    await page.keyboard.press('Enter')
    await expect(code(page)).toBeVisible()
    await reach(page, code(page))
    await page.keyboard.press('Control+End')
    await page.keyboard.type('echo hi')
    await page.keyboard.press('Control+s')
    await expect(page.getByText(/^Saved at/)).toBeVisible()
    expect(fs.readFileSync(path.join(root, 'scripts/start.sh'), 'utf8')).toBe('#!/bin/sh\necho hi')
    // Out of the editor, where Tab is a character.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    await expect(code(page)).not.toBeFocused()
  })

  await test.step('deleted for good', async () => {
    await page.goto(`/en/panel/${serverId}/files?path=scripts`)
    await expect(row(page, 'start.sh')).toBeVisible()
    await reachRow(page, 'start.sh')
    await page.keyboard.press('Delete')
    await expect(page.getByText('This folder is empty.')).toBeVisible()
    await expect(bin(page).locator('summary')).not.toContainText('empty')
    await reach(page, bin(page).locator('summary'))
    await page.keyboard.press('Enter')
    await tabTo(page, 'button', 'Empty the bin')
    await page.keyboard.press('Enter')
    await tabTo(dialog(page), 'button', 'Empty the bin')
    await page.keyboard.press('Enter')
    await emptied(page, root)
  })
})

test('by keyboard alone: a word is found and replaced everywhere in a text, undone, done again and saved', async ({
  page,
  dataDir,
}) => {
  const serverId = await openFiles(page)
  const root = await rootOf(page, { dataDir, serverId })
  putFile(root, 'worlds.yml', 'first: old\nsecond: old\nthird: older\n')
  await page.goto(`/en/panel/${serverId}/edit/worlds.yml`)
  await code(page).focus()
  await page.keyboard.press('Control+f')
  const panel = page.locator('.cm-search')
  await expect(panel.getByPlaceholder('Find')).toBeFocused()
  await page.keyboard.type('old')
  expect(await violations(page)).toEqual([])
  await reach(page, panel.getByPlaceholder('Replace with'))
  await page.keyboard.type('new')
  await reach(page, panel.getByRole('button', { name: 'Replace all' }))
  await page.keyboard.press('Enter')
  await expect(code(page)).toContainText('third: newer')
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(code(page)).toBeFocused()
  await page.keyboard.press('Control+z')
  await expect(code(page)).toContainText('third: older')
  await page.keyboard.press('Control+y')
  await page.keyboard.press('Control+s')
  await expect(page.getByText(/^Saved at/)).toBeVisible()
  expect(fs.readFileSync(path.join(root, 'worlds.yml'), 'utf8')).toBe('first: new\nsecond: new\nthird: newer\n')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('by a finger alone: permissions are set, a file is renamed, moved, deleted, restored and edited, and the bin is emptied', async ({
    page,
    dataDir,
  }) => {
    test.setTimeout(240_000)
    const serverId = await openFiles(page)
    const root = await rootOf(page, { dataDir, serverId })
    putFile(root, 'run.sh', '#!/bin/sh\n')
    fs.chmodSync(path.join(root, 'run.sh'), 0o644)
    putFile(root, 'tools/kept.txt', 'kept')
    await page.reload()
    const menu = async (name: string, action: string): Promise<void> => {
      await page.getByRole('button', { name: `Actions for ${name}` }).tap()
      await page.getByRole('menuitem', { name: action }).tap()
    }

    await menu('run.sh', 'Permissions…')
    await dialog(page).getByRole('group', { name: 'Server' }).getByText('Run').tap()
    await expect(dialog(page).getByLabel('As a number')).toHaveValue('744')
    expect(await violations(page)).toEqual([])
    await dialog(page).getByRole('button', { name: 'Save' }).tap()
    await expect.poll(() => modeOf(path.join(root, 'run.sh'))).toBe('744')

    await menu('run.sh', 'Rename')
    await page.keyboard.type('start')
    await dialog(page).getByRole('button', { name: 'Rename' }).tap()
    await expect(row(page, 'start.sh')).toBeVisible()
    await menu('start.sh', 'Move to…')
    await dialog(page).getByRole('button', { name: 'tools' }).tap()
    await dialog(page).getByRole('button', { name: 'Move here' }).tap()
    await expect(row(page, 'start.sh')).toHaveCount(0)
    await row(page, 'tools').tap()
    await expect(row(page, 'start.sh')).toBeVisible()
    expect(modeOf(path.join(root, 'tools/start.sh'))).toBe('744')

    await row(page, 'start.sh').getByRole('checkbox').tap()
    await page.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name: 'Delete' }).tap()
    await expect(row(page, 'start.sh')).toHaveCount(0)
    await bin(page).locator('summary').tap()
    await page.getByRole('button', { name: 'Restore tools/start.sh' }).tap()
    await expect(row(page, 'start.sh')).toBeVisible()

    await row(page, 'start.sh').tap()
    await code(page).tap()
    await page.keyboard.press('Control+End')
    await page.getByRole('toolbar', { name: 'Extra keys' }).getByRole('button', { name: '#' }).tap()
    await page.keyboard.type(' by a finger')
    await page.getByRole('button', { name: 'Save', exact: true }).tap()
    await expect(page.getByText(/^Saved at/)).toBeVisible()
    expect(fs.readFileSync(path.join(root, 'tools/start.sh'), 'utf8')).toBe('#!/bin/sh\n# by a finger')
    await page.getByRole('button', { name: 'Close the file' }).filter({ visible: true }).tap()

    await menu('start.sh', 'Delete')
    await expect(row(page, 'start.sh')).toHaveCount(0)
    if ((await bin(page).getAttribute('open')) === null) await bin(page).locator('summary').tap()
    await page.getByRole('button', { name: 'Empty the bin' }).tap()
    await dialog(page).getByRole('button', { name: 'Empty the bin' }).tap()
    await emptied(page, root)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })
})
