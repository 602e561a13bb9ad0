import type { Page } from '@playwright/test'
import { violations } from '../support/axe.ts'
import { hydrated } from '../support/hydrated.ts'
import { registerByApi, signIn } from '../support/journey.ts'
import { codeAt, nextCode } from '../support/totp-code.ts'
import { expect, test } from './test.ts'

const beginSignIn = async (page: Page, customer: { username: string; password: string }) => {
  // A page without its session goes to the login by itself, and would interrupt the way there.
  await page.goto('about:blank')
  await page.context().clearCookies()
  await page.goto('/en/auth/login')
  await hydrated(page)
  await page.getByLabel(/^Username or e.mail address/).fill(customer.username)
  await page.getByLabel('Password', { exact: true }).fill(customer.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('an authenticator app is set up, asked for at sign-in, and a recovery code stands in for it', async ({ page }) => {
  const customer = await registerByApi(page)
  await signIn(page, customer)
  await page.goto('/en/dashboard/settings/security')
  const app = page.getByRole('region', { name: 'Authenticator app' })
  await app.getByRole('button', { name: 'Set up app' }).click()
  await app.getByLabel('Current password').fill('not this one')
  await app.getByRole('button', { name: 'Continue' }).click()
  await expect(app.getByText('Wrong password.')).toBeVisible()
  await app.getByLabel('Current password').fill(customer.password)
  await app.getByRole('button', { name: 'Continue' }).click()
  await expect(app.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  expect(await violations(page)).toEqual([])
  const label = await app.getByRole('button', { name: /^Secret key of the app: / }).getAttribute('aria-label')
  const secret = label?.split(': ')[1] ?? ''
  await app.getByLabel('First code').fill(await codeAt(secret, Date.now()))
  await app.getByRole('button', { name: 'Turn on' }).click()
  const codes = app.getByRole('button', { name: /^Backup code: / })
  await expect(codes).toHaveCount(10)
  expect(await violations(page)).toEqual([])
  const recovery = (await codes.first().getAttribute('aria-label'))?.split(': ')[1] ?? ''
  await app.getByRole('button', { name: "I've saved them" }).click()
  await expect(app.getByText('10 backup codes left.')).toBeVisible()

  await beginSignIn(page, customer)
  await expect(page.getByRole('heading', { name: 'Six-digit code' })).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.getByLabel('Code', { exact: true }).fill('000000')
  await expect(page.getByText('Invalid code.')).toBeVisible()
  // Six digits send themselves.
  await page.getByLabel('Code', { exact: true }).fill(await nextCode(secret))
  await page.waitForURL(/\/dashboard\/summary/)

  await beginSignIn(page, customer)
  await page.getByRole('button', { name: 'Use a backup code instead' }).click()
  expect(await violations(page)).toEqual([])
  await page.getByLabel('Backup code', { exact: true }).fill(recovery)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/dashboard\/summary/)
  await page.goto('/en/dashboard/settings/security')
  await expect(page.getByText('9 backup codes left.')).toBeVisible()
})
