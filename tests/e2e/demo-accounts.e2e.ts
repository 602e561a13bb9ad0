import { violations } from '../support/axe.ts'
import { hydrated } from '../support/hydrated.ts'
import { signIn, signInByApi } from '../support/journey.ts'
import { expect, test } from './test.ts'

test('an administrator’s form of another account disables no privilege, and every disabled field says why', async ({
  page,
  demo,
}) => {
  await signInByApi(page, demo.admin)
  const found = await page.request.get('/api/cms/users?depth=0&limit=50')
  const { docs } = (await found.json()) as { docs: { id: string; username: string }[] }
  const formOf = async (username: string) => {
    await page.goto(`/admin/collections/users/${docs.find((user) => user.username === username)?.id}`)
    await expect(page.locator('#field-username')).toBeVisible()
  }
  await formOf(demo.customer.username)
  for (const id of ['#field-verified', '#field-suspended', '#field-email']) await expect(page.locator(id)).toBeEnabled()
  await expect(page.locator('#field-role input').first()).toBeEnabled()
  await formOf(demo.admin.username)
  await expect(page.locator('#field-suspended')).toBeDisabled()
  const disabled = page.locator('.render-fields input:disabled')
  const silent = () =>
    disabled.evaluateAll((inputs) =>
      inputs
        .filter((input) => input.closest('.field-type')?.querySelector('.field-description') === null)
        .map(({ id }) => id),
    )
  // While the form starts, all of its fields are disabled.
  await expect.poll(silent).toEqual([])
  expect(await disabled.count()).toBeGreaterThan(0)
})

test('the demo administrator opens the administration', async ({ page, demo }) => {
  await signIn(page, demo.admin)
  await page.goto('/admin', { waitUntil: 'commit' })
  await expect(page.getByRole('link', { name: /Services/ }).first()).toBeVisible({ timeout: 60_000 })
  await expect(page).toHaveURL(/\/admin\/?$/)
})

test('support is shown the way to the tickets, and no other page of the administration', async ({ page, demo }) => {
  await signInByApi(page, demo.support)
  for (const path of ['/admin', '/admin/overview', '/admin/collections/users', '/admin/globals/settings']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'You can manage tickets here' })).toBeVisible()
    expect(await violations(page)).toEqual([])
  }
  await page.getByRole('link', { name: 'Tickets', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Tickets', exact: true })).toBeVisible()
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
  await hydrated(page)
  await page.getByLabel(/^Username or e.mail address/).fill(demo.customer.username)
  await page.getByLabel('Password', { exact: true }).fill(demo.customer.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/dashboard\/servers/)
})
