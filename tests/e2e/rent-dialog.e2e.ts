import type { Page } from '@playwright/test'

import { violations } from '../support/axe.ts'
import { arrive } from '../support/journey.ts'
import { expect, test } from './test.ts'

const WIDTHS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Rent Bot' })
const offer = (page: Page) => page.getByRole('link', { name: /^Rent.*Bot/ })
const focusIsInside = (page: Page) =>
  page.evaluate(() => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null)

test('renting opens over the list, which keeps its search; Escape, the button and Back close it', async ({ page }) => {
  await arrive(page)
  await page.goto('/en/dashboard/services/game?q=bo')
  await offer(page).click()
  await expect(dialog(page)).toBeVisible()
  await expect(page).toHaveURL(/\/services\/game\?q=bo&rent=bot&package=/)

  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expect(page).toHaveURL(/\/services\/game\?q=bo$/)
  await expect(offer(page)).toBeFocused()

  await page.keyboard.press('Enter')
  await dialog(page).getByRole('button', { name: 'Close' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(page).toHaveURL(/\/services\/game\?q=bo$/)

  await offer(page).click()
  await expect(dialog(page)).toBeVisible()
  await page.goBack()
  await expect(dialog(page)).toHaveCount(0)
  await expect(page).toHaveURL(/\/services\/game\?q=bo$/)
  await page.goForward()
  await expect(dialog(page)).toBeVisible()
})

test('the address of a rent dialog opens it, and closing leaves the list of services', async ({ page }) => {
  await arrive(page)
  await page.goto('/en/dashboard/services/game?rent=bot')
  await expect(dialog(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/services\/game$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Game servers' })).toBeVisible()
})

test('Tab stays inside the rent dialog, on a phone too, and axe finds nothing', async ({ page }) => {
  await arrive(page)
  for (const size of WIDTHS) {
    await page.setViewportSize(size)
    await page.goto('/en/dashboard/services/game?rent=bot')
    await expect(dialog(page).getByText('To pay')).toBeVisible()
    for (let step = 0; step < 24; step += 1) {
      await page.keyboard.press('Tab')
      expect(await focusIsInside(page), `after ${step + 1} steps at ${size.width}`).toBe(true)
    }
    expect.soft(await violations(page), `at ${size.width}`).toEqual([])
  }
})

test('on a phone a package shows processor and storage too', async ({ page }) => {
  await arrive(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/en/dashboard/services/game?rent=bot')
  const small = dialog(page).getByRole('row', { name: /Small/ })
  await expect(small.getByText('CPU 25 %')).toBeVisible()
  await expect(small.getByText('Storage 1 GB')).toBeVisible()
})

test('the top-up of a missing amount opens with that amount, and Back returns to the form', async ({ page }) => {
  await arrive(page)
  await page.goto('/en/dashboard/services/game?rent=bot')
  await dialog(page).getByRole('radio', { name: 'Medium' }).check()
  await dialog(page).getByRole('link', { name: 'Top up' }).click()
  await page.waitForURL(/\/balance\/summary\?amount=1000$/)
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('1,000')
  await page.goBack()
  await expect(dialog(page)).toBeVisible()
  await expect(dialog(page).getByRole('radio', { name: 'Medium' })).toBeChecked()
})
