import type { Page } from '@playwright/test'

import { violations } from '../support/axe.ts'
import { keepSession, openServer } from '../support/console-page.ts'
import { expect, test } from './test.ts'

test.afterEach(({ page }) => keepSession(page))

const dialog = (page: Page) => page.getByRole('dialog')

const ask = async (page: Page, address: string, name = ''): Promise<void> => {
  await dialog(page).getByLabel('Address of the file').fill(address)
  await dialog(page).getByLabel(/^Name/).fill(name)
  await page.keyboard.press('Enter')
}

test('a customer who asks for a file of an address inside is told so by field, and nothing comes', async ({ page }) => {
  test.setTimeout(180_000)
  const serverId = await openServer(page)
  await page.goto(`/en/panel/${serverId}/console`)
  await expect(page.locator('.con-meta > [role=status]')).toHaveText(/Running/, { timeout: 60_000 })
  await page.goto(`/en/panel/${serverId}/files`)
  await expect(page.getByRole('row').filter({ hasText: 'package.json' })).toBeVisible()
  await page.getByRole('button', { name: 'From a web address' }).click()
  await expect(dialog(page).getByLabel('Address of the file')).toBeFocused()
  expect(await violations(page)).toEqual([])

  await ask(page, 'ftp://example.com/mod.jar')
  await expect(dialog(page).getByLabel('Address of the file')).toHaveAttribute('aria-invalid', 'true')
  await ask(page, 'http://127.0.0.1:8080/mod.jar')
  await expect(dialog(page).getByLabel('Address of the file')).toHaveAttribute('aria-invalid', 'true')
  expect(await violations(page)).toEqual([])
  await ask(page, 'https://example.com/mod.jar', 'package.json')
  await expect(dialog(page).getByLabel(/^Name/)).toHaveAttribute('aria-invalid', 'true')
  await expect(dialog(page)).toContainText('package.json already exists here.')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('row').filter({ hasText: 'mod.jar' })).toHaveCount(0)

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('button', { name: 'From a web address' })).toBeInViewport({ ratio: 1 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})
