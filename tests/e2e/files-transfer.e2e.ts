import type { Page } from '@playwright/test'

import { violations } from '../support/axe.ts'
import { seeActivities } from '../support/files-page.ts'
import { orderBot, rentByApi } from '../support/journey.ts'
import { expect, test } from './test.ts'

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const dialog = (page: Page) => page.getByRole('dialog')
const jobs = (page: Page) => page.getByRole('list', { name: 'Work in progress' })

const openFiles = async (page: Page, serverId: string): Promise<void> => {
  await page.goto(`/en/panel/${serverId}/console`)
  await expect(page.locator('.con-meta > [role=status]')).toHaveText(/Running/, { timeout: 120_000 })
  await page.goto(`/en/panel/${serverId}/files`)
  await expect(row(page, 'package.json')).toBeVisible()
}

const make = async (page: Page, button: string, name: string, submit: string): Promise<void> => {
  await page.getByRole('button', { name: button }).click()
  await dialog(page).getByLabel('Name').fill(name)
  await dialog(page).getByRole('button', { name: submit }).click()
}

test('a customer with two servers copies a file to the other one, and moves a folder there', async ({ page }) => {
  const { serverId: first } = await rentByApi(page, 'Watchman')
  await openFiles(page, first)
  await row(page, 'package.json').click({ button: 'right' })
  // Nobody is asked about another server who has none.
  await expect(page.getByRole('menuitem', { name: 'Download' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'To another server…' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await make(page, 'New folder', 'maps', 'Create folder')
  await make(page, 'New file', 'notes.txt', 'Create file')
  await expect(row(page, 'notes.txt')).toBeVisible()

  const second = await orderBot(page, 'Nightwatch')
  await openFiles(page, second)
  await make(page, 'New folder', 'inbox', 'Create folder')
  await expect(row(page, 'inbox')).toBeVisible()

  await page.goto(`/en/panel/${first}/files`)
  await row(page, 'notes.txt').click()
  await page.getByRole('button', { name: 'To another server…' }).click()
  await expect(dialog(page).getByRole('radio', { name: /^Nightwatch/ })).toBeChecked()
  expect(await violations(page)).toEqual([])
  await dialog(page)
    .getByLabel(/^Folder there/)
    .fill('nowhere')
  await dialog(page).getByRole('button', { name: 'Copy' }).click()
  await expect(dialog(page).getByLabel(/^Folder there/)).toHaveAttribute('aria-invalid', 'true')
  await expect(dialog(page)).toContainText('That server has no such folder.')
  expect(await violations(page)).toEqual([])
  await dialog(page)
    .getByLabel(/^Folder there/)
    .fill('/inbox/')
  await page.keyboard.press('Enter')
  await expect(jobs(page)).toContainText('notes.txt is copied to the other server')
  await expect(row(page, 'notes.txt')).toBeVisible()

  // The same name once more, by keyboard alone: both stay there, and then the old one goes to the bin there.
  for (const choice of ['Keep both; the new one gets a number', 'Replace it; the old one goes to the bin']) {
    await row(page, 'notes.txt').click()
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name: 'To another server…' }).press('Enter')
    await dialog(page)
      .getByLabel(/^Folder there/)
      .fill('inbox')
    await dialog(page).getByRole('radio', { name: 'Keep only the existing one' }).focus()
    for (let times = 0; !(await dialog(page).getByRole('radio', { name: choice }).isChecked()); times += 1) {
      expect(times).toBeLessThan(3)
      await page.keyboard.press('ArrowDown')
    }
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toHaveCount(0)
  }
  await expect(jobs(page).getByText('notes.txt is copied to the other server')).toHaveCount(3)

  // By keyboard: the menu of the row, and the radio of a move.
  await row(page, 'maps').click()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'To another server…' }).press('Enter')
  await dialog(page)
    .getByLabel(/^Moved/)
    .check()
  await dialog(page).getByRole('button', { name: 'Move' }).click()
  await expect(jobs(page)).toContainText('maps is moved to the other server and deleted here')
  await expect(row(page, 'maps')).toHaveCount(0)
  await page.reload()
  await expect(jobs(page)).toContainText('notes.txt is copied to the other server')
  expect(await violations(page)).toEqual([])

  // The server that receives says so too, and what is closed there stays in the list of the other one.
  await page.goto(`/en/panel/${second}/files`)
  await expect(jobs(page)).toContainText('notes.txt has arrived from another server')
  await expect(jobs(page)).toContainText('maps has arrived from another server')
  await page.getByRole('button', { name: 'Close: maps' }).click()
  await expect(jobs(page)).not.toContainText('maps')
  await page.goto(`/en/panel/${first}/files`)
  await expect(jobs(page)).toContainText('maps is moved to the other server')

  await page.setViewportSize({ width: 390, height: 844 })
  await row(page, 'notes.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'To another server…' }).click()
  await expect(dialog(page).getByRole('button', { name: 'Copy' })).toBeInViewport({ ratio: 1 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await page.keyboard.press('Escape')

  await page.goto(`/en/panel/${second}/files`)
  await expect(row(page, 'maps')).toBeVisible()
  await page.goto(`/en/panel/${second}/files?path=inbox`)
  await expect(row(page, 'notes.txt')).toBeVisible()
  await expect(row(page, 'notes (2).txt')).toBeVisible()
  await expect(row(page, 'notes (3).txt')).toHaveCount(0)
  await page.locator('summary').filter({ hasText: 'Bin' }).click()
  await page.getByRole('button', { name: 'Restore inbox/notes.txt' }).click()
  await expect(row(page, 'notes (3).txt')).toBeVisible()
  await seeActivities(page, ['Copied to another server', 'Moved to another server', 'Arrived from another server'])
})
