import type { Page } from '@playwright/test'

import { rentByApi } from '../support/journey.ts'
import { expect, test } from './test.ts'

const MOST_STOPS = 60

/** Presses Tab until the focused element has this accessible name. */
async function tabTo(page: Page, role: 'link' | 'button' | 'textbox', name: RegExp): Promise<void> {
  const target = page.getByRole(role, { name }).filter({ visible: true }).first()
  await expect(target).toBeVisible()
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach the ${role} ${String(name)}.`)
}

test('from the login to an order and a console command by keyboard alone', async ({ page }) => {
  test.setTimeout(180_000)
  const { username, password } = await rentByApi(page)
  await page.context().clearCookies()
  await page.goto('/en/auth/login')
  await tabTo(page, 'textbox', /^User name/)
  await page.keyboard.type(username)
  await tabTo(page, 'textbox', /^Password$/)
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/dashboard\/summary/)

  await tabTo(page, 'link', /^Services$/)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/dashboard\/services/)
  await tabTo(page, 'link', /^Rent.*bot/i)
  await page.keyboard.press('Enter')
  await tabTo(page, 'textbox', /Server name/)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('By keyboard')
  await page.keyboard.press('Tab')
  // The offer's own package is chosen: down to the next one and back.
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('radio', { name: 'Medium' })).toBeChecked()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('radio', { name: 'Small' })).toBeChecked()
  await expect(page.getByRole('region', { name: 'Price' })).toContainText('590')
  // While a price is on its way, nothing can be ordered at the one before.
  await expect(page.getByRole('button', { name: 'Order and pay' })).toBeEnabled()
  await tabTo(page, 'button', /^Order and pay$/)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/panel\/[^/]+\/console/)

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('By keyboard')
  const status = page.locator('.con-meta > [role=status]')
  const start = page.getByRole('button', { name: 'Start', exact: true })
  await expect(start.or(status.filter({ hasText: 'Running' }))).toBeVisible({ timeout: 60_000 })
  if (await start.isVisible()) {
    await tabTo(page, 'button', /^Start$/)
    await page.keyboard.press('Enter')
  }
  await expect(status).toHaveText(/Running/, { timeout: 60_000 })
  await tabTo(page, 'textbox', /Send a command/)
  await page.keyboard.type('ping')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('log')).toContainText('pong')
})
