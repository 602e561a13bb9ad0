import { violations } from '../support/axe.ts'
import { signIn, signInByApi } from '../support/journey.ts'
import { expect, test } from './test.ts'

test('the demo administrator opens the administration', async ({ page, demo }) => {
  await signIn(page, demo.admin)
  await page.goto('/admin', { waitUntil: 'commit' })
  await expect(page.getByRole('link', { name: /Services/ }).first()).toBeVisible({ timeout: 60_000 })
  await expect(page).toHaveURL(/\/admin\/?$/)
})

test('support is shown the way to the tickets, and no other page of the administration', async ({ page, demo }) => {
  await signInByApi(page, demo.support)
  for (const path of ['/admin', '/admin/collections/users', '/admin/globals/settings']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'You can manage tickets here' })).toBeVisible()
    expect(await violations(page)).toEqual([])
  }
  await page.getByRole('link', { name: 'Go to tickets' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Categories')
  await expect(page.locator('nav').getByText('Categories').first()).toBeAttached()
  await expect(page.locator('nav a[href*="/collections/users"], nav a[href*="/globals/"]')).toHaveCount(0)
})

test('the demo customer sees the dashboard, and no administration', async ({ page, demo }) => {
  await signIn(page, demo.customer)
  await expect(page.getByRole('button', { name: `account: ${demo.customer.username}` })).toBeVisible()
  await expect(page.getByRole('navigation').first()).toContainText('My servers')
  await page.goto('/admin')
  await expect(page).not.toHaveURL(/\/admin/)
})

test('a visitor is led to the login, and after it to the page asked for', async ({ page, demo }) => {
  await page.goto('/dashboard/servers')
  await expect(page).toHaveURL(/\/auth\/login\?next=%2Fdashboard%2Fservers/)
  await page.getByLabel(/^Username or e.mail address/).fill(demo.customer.username)
  await page.getByLabel('Password', { exact: true }).fill(demo.customer.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/dashboard\/servers/)
})
