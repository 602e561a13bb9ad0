import type { Page } from '@playwright/test'

import { violations } from '../support/axe.ts'
import { signIn } from '../support/journey.ts'
import { expect, test } from './test.ts'

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]

const messages = (page: Page) => page.getByRole('region', { name: 'Messages' })
const shown = (page: Page, text: string) => messages(page).getByText(text)

/** Notes from the next page on where its content begins, in each frame that is drawn. */
const watchTop = (page: Page) =>
  page.addInitScript(() => {
    const tops: number[] = []
    Reflect.set(window, 'tops', tops)
    const look = () => {
      const main = document.querySelector('main')
      if (main) tops.push(Math.round(main.getBoundingClientRect().top))
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
const topsOf = (page: Page) => page.evaluate(() => [...new Set(Reflect.get(window, 'tops') as number[])])

test('a message is above every open page of its audience at once, is dismissed for good, and moves nothing', async ({
  page,
  browser,
  demo,
}) => {
  test.setTimeout(180_000)
  const staff = await browser.newContext({ baseURL: demo.url, locale: 'en-GB' })
  const admin = await staff.newPage()
  await signIn(admin, demo.admin)
  const guest = await (await browser.newContext({ baseURL: demo.url, locale: 'en-GB' })).newPage()
  await guest.goto('/en/auth/login')
  await signIn(page, demo.customer)
  await admin.goto('/admin')
  const made: string[] = []
  const save = async (text: string, facts: object) => {
    const headers = { origin: demo.url }
    const answer = await admin.request.post('/api/cms/global-messages?locale=en', { headers, data: { text, ...facts } })
    expect(answer.status()).toBe(201)
    made.push(((await answer.json()) as { doc: { id: string } }).doc.id)
  }

  await save('Maintenance tonight at two.', { severity: 'warning', audience: 'public' })
  for (const reader of [guest, page, admin]) await expect(shown(reader, 'Maintenance tonight at two.')).toBeVisible()
  await save('Prices change in December.', { severity: 'info', audience: 'customers' })
  await save('The second node burns.', { severity: 'error', audience: 'staff' })
  await expect(shown(page, 'Prices change in December.')).toBeVisible()
  await expect(messages(admin).getByRole('alert')).toHaveText('The second node burns.')
  await expect(messages(page).getByRole('status')).toHaveCount(2)
  await expect(messages(guest).getByRole('status')).toHaveCount(1)
  await expect(shown(page, 'The second node burns.')).toHaveCount(0)

  for (const size of SIZES) {
    await page.setViewportSize(size)
    await expect(page.locator('.top')).toBeInViewport()
    expect.soft(await violations(page), `${size.width}`).toEqual([])
    await page.screenshot({ path: test.info().outputPath(`messages-${size.width}.png`) })
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.reload()
  await expect(shown(page, 'Maintenance tonight at two.')).toBeVisible()
  await watchTop(guest)
  await guest.goto('/en/auth/register')
  await expect(shown(guest, 'Maintenance tonight at two.')).toBeVisible()
  expect(await topsOf(guest), 'the page moves under its reader').toHaveLength(1)

  await messages(page).getByRole('button', { name: 'Close' }).first().click()
  await expect(shown(page, 'Maintenance tonight at two.')).toHaveCount(0)
  // Closed by a person it is closed in their other browsers, too.
  const elsewhere = await browser.newContext({ baseURL: demo.url, locale: 'en-GB' })
  const other = await elsewhere.newPage()
  await signIn(other, demo.customer)
  await expect(shown(other, 'Prices change in December.')).toBeVisible()
  await expect(shown(other, 'Maintenance tonight at two.')).toHaveCount(0)
  await elsewhere.close()
  await page.goto('/dashboard/servers')
  await expect(shown(page, 'Prices change in December.')).toBeVisible()
  await expect(shown(page, 'Maintenance tonight at two.')).toHaveCount(0)
  await expect(shown(guest, 'Maintenance tonight at two.')).toBeVisible()

  for (const id of made) await admin.request.delete(`/api/cms/global-messages/${id}`, { headers: { origin: demo.url } })
  for (const reader of [guest, page, admin]) await expect(messages(reader).locator('.notice')).toHaveCount(0)
  await staff.close()
  await guest.context().close()
})
