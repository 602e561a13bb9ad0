import type { Page } from '@playwright/test'

import { mailedCode } from '../support/demo-mail.ts'
import { hydrated } from '../support/hydrated.ts'
import { arrive, newCustomer, rentByApi } from '../support/journey.ts'
import { openSearch } from '../support/open-search.ts'
import { pageOf, tabTo, type Scope } from '../support/tab-to.ts'
import { codeAt, nextCode } from '../support/totp-code.ts'
import { expect, test } from './test.ts'

test('from the login to an order and a console command by keyboard alone', async ({ page }) => {
  test.setTimeout(180_000)
  const { username, password } = await rentByApi(page)
  await page.context().clearCookies()
  await page.goto('/en/auth/login')
  await hydrated(page)
  await tabTo(page, 'textbox', /^Username/)
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
  const running = status.filter({ hasText: 'Running' })
  await expect(start.or(running)).toBeVisible({ timeout: 60_000 })
  // The order starts the server itself: the button may go while Tab is on its way to it.
  await expect(async () => {
    if (await running.isVisible()) return
    await tabTo(page, 'button', /^Start$/)
    await page.keyboard.press('Enter')
  }).toPass({ timeout: 90_000 })
  await expect(status).toHaveText(/Running/, { timeout: 60_000 })
  await tabTo(page, 'textbox', /Send a command/)
  await page.keyboard.type('ping')
  await page.keyboard.press('Enter')
  // The command that was sent is in the log, above its answer.
  await expect(page.getByRole('log').locator('.l-sent')).toHaveText(/ping$/)
  await expect(page.getByRole('log')).toContainText('pong')
})

/** Goes to the control by Tab and types, or presses a key there. */
async function typeInto(scope: Scope, name: RegExp, text: string | (() => Promise<string>)): Promise<void> {
  await tabTo(scope, 'textbox', name)
  await pageOf(scope).keyboard.type(typeof text === 'string' ? text : await text())
}
async function press(page: Page, role: 'link' | 'button' | 'checkbox', name: RegExp, key = 'Enter'): Promise<void> {
  await tabTo(page, role, name)
  await page.keyboard.press(key)
}

/** From any page to the login page, by the button of the menu. */
async function logOut(page: Page): Promise<void> {
  await press(page, 'button', /^Sign out$/)
  await page.waitForURL(/\/auth\/login/)
}

/** Switches the authenticator app on, where its page is open; answers its secret. */
async function switchFactorOn(page: Page, password: string): Promise<string> {
  await press(page, 'button', /^Set up app$/)
  await typeInto(page.getByRole('region', { name: 'Authenticator app' }), /^Current password$/, password)
  await page.keyboard.press('Enter')
  const shown = page.getByRole('button', { name: /^Secret key of the app: / })
  const secret = (await shown.getAttribute('aria-label'))?.split(': ')[1] ?? ''
  await typeInto(page, /^First code$/, () => codeAt(secret, Date.now()))
  await press(page, 'button', /^Turn on$/)
  await press(page, 'button', /^I've saved them$/)
  await expect(page.getByText('10 backup codes left.')).toBeVisible()
  return secret
}

const noPointer = (page: Page) =>
  page.addInitScript(() => {
    // A click that the keyboard makes comes without a pointer.
    document.addEventListener('pointerdown', () => console.error('A pointer was used.'), true)
  })

test('a top-up without a mouse: the amount, the consent, the payment and its result', async ({ page }) => {
  await arrive(page)
  await noPointer(page)
  await page.goto('/en/dashboard/summary')
  await press(page, 'link', /^Top up$/)
  await page.waitForURL(/\/dashboard\/balance\/summary/)
  await tabTo(page, 'textbox', /^Amount$/)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('3000')
  await press(page, 'button', /^Pay /)
  await expect(page.getByRole('checkbox')).toBeFocused()
  await page.keyboard.press('Space')
  await press(page, 'button', /^Pay /)
  await press(page, 'button', /^Pay$/)
  await page.waitForURL(/\/dashboard\/balance\/ok/)
  await expect(page.getByText(/added to your balance\./)).toBeVisible()
  await press(page, 'link', /^Go to balance$/)
  await page.waitForURL(/\/dashboard\/balance\/summary/)
  await expect(page.getByText(/3,000/).first()).toBeVisible()
})

test('the settings without a mouse: a refused field, a saved form, each of their pages', async ({ page }) => {
  await arrive(page)
  await noPointer(page)
  await page.goto('/en/dashboard/settings')
  await expect(page.getByLabel('First name')).toBeEnabled()
  await typeInto(page, /^Phone number$/, '12')
  await press(page, 'button', /^Save details$/)
  await expect(page.getByLabel('Phone number')).toBeFocused()
  await expect(page.getByText('A phone number has 6 to 15 digits')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('+36 30 123 4567')
  await press(page, 'button', /^Save details$/)
  await expect(page.getByText('Your details are saved.')).toBeVisible()

  await press(page, 'link', /^Notifications$/)
  await page.waitForURL(/\/settings\/notifications$/)
  await press(page, 'checkbox', /: E.mail$/, 'Space')
  await expect(page.getByText('Saved.')).toBeVisible()
  await press(page, 'link', /^Account$/)
  await page.waitForURL(/\/settings\/account$/)
  await press(page, 'button', /^Delete account$/)
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Delete account' })).toBeFocused()
})

test('register, confirm, sign in with the second factor, search, change the password and log out, without a mouse', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const customer = newCustomer()
  const email = `${customer.username}@example.com`
  const changed = `${customer.password} and another`
  await noPointer(page)
  await page.goto('/en/auth/register')
  await hydrated(page)
  await typeInto(page, /^Username/, customer.username)
  await typeInto(page, /^E.mail address/, email)
  await typeInto(page, /^Password$/, customer.password)
  await typeInto(page, /^Repeat password$/, customer.password)
  await press(page, 'checkbox', /./, 'Space')
  await press(page, 'button', /^Register$/)
  await page.waitForURL(/\/auth\/verify/)
  await typeInto(page, /^Code$/, await mailedCode(async (path) => (await page.request.get(path)).text(), email))
  await page.waitForURL(/\/dashboard\/balance\/summary/)

  await press(page, 'button', /account: /)
  await press(page, 'link', /^Sign-in security$/)
  await page.waitForURL(/\/dashboard\/settings\/security$/)
  const secret = await switchFactorOn(page, customer.password)
  await logOut(page)

  await typeInto(page, /^Username or/, customer.username)
  await typeInto(page, /^Password$/, customer.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Six-digit code' })).toBeVisible()
  await typeInto(page, /^Code$/, () => nextCode(secret))
  await page.waitForURL(/\/dashboard\/summary/)
  await expect(page.getByRole('button', { name: `account: ${customer.username}` })).toBeVisible()

  await openSearch(page)
  await expect(page.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('setting')
  await expect(page.getByRole('option').first()).toHaveText(/Settings/)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/dashboard\/settings$/)
  await press(page, 'link', /^Security$/)
  await page.waitForURL(/\/dashboard\/settings\/security$/)

  await typeInto(page, /^Current password$/, customer.password)
  await typeInto(page, /^New password$/, changed)
  await typeInto(page, /^Repeat new password$/, changed)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Your password is changed.')).toBeVisible()
  await logOut(page)
  await typeInto(page, /^Username or/, customer.username)
  await typeInto(page, /^Password$/, changed)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Six-digit code' })).toBeVisible()
})
