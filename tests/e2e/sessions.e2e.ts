import { violations } from '../support/axe.ts'
import { signIn, signInByApi } from '../support/journey.ts'
import { expect, test } from './test.ts'

test('another device is signed out from the settings, and its page goes to the login by itself', async ({
  page,
  browser,
  demo,
}) => {
  await signIn(page, demo.customer)
  const elsewhere = await browser.newContext({
    baseURL: demo.url,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
  })
  const other = await elsewhere.newPage()
  await signIn(other, demo.customer)

  await page.goto('/en/dashboard/settings')
  const sessions = page.getByRole('region', { name: "Where you're signed in" })
  const rows = sessions.getByRole('listitem')
  await expect(rows.first()).toContainText('This device')
  const firefox = sessions.getByRole('button', { name: 'Sign out Firefox on Linux' }).first()
  await expect(firefox).toBeVisible()
  expect(await violations(page)).toEqual([])
  const before = await rows.count()
  await firefox.click()
  await expect(rows).toHaveCount(before - 1)
  await expect(other).toHaveURL(/\/auth\/login/)
  await elsewhere.close()

  await sessions.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('the security log names what was done, and reads on', async ({ page, demo }) => {
  await signInByApi(page, demo.customer)
  await page.goto('/en/dashboard/activities')
  const log = page.getByRole('region', { name: 'Security log' }).first()
  await expect(log.getByText('Sign-in', { exact: true }).first()).toBeVisible()
  expect(await violations(page)).toEqual([])
})
