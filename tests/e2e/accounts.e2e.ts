import type { Page } from '@playwright/test'
import { mailedCode, mailedLink } from '../support/demo-mail.ts'
import { hydrated } from '../support/hydrated.ts'
import { newCustomer, register, signIn } from '../support/journey.ts'
import { expect, test } from './test.ts'

const MOST_STOPS = 80
const NEW_PASSWORD = 'quite another sentence'

const readWith = (page: Page) => async (path: string) => (await page.request.get(path)).text()

/** Presses Tab until the focused element has this accessible name. */
const tabTo = async (page: Page, role: 'link' | 'button' | 'textbox' | 'checkbox', name: RegExp): Promise<void> => {
  const target = page.getByRole(role, { name }).filter({ visible: true }).first()
  await expect(target).toBeVisible()
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach the ${role} ${String(name)}.`)
}

const typeInto = async (page: Page, name: RegExp, text: string): Promise<void> => {
  await tabTo(page, 'textbox', name)
  await page.keyboard.type(text)
}

test('register, confirm, change the password and log out by keyboard alone', async ({ page }) => {
  const customer = newCustomer()
  const email = `${customer.username}@example.com`
  await test.step('register', async () => {
    await page.goto('/en/auth/register')
    await hydrated(page)
    await typeInto(page, /^Username$/, customer.username)
    await typeInto(page, /^E.mail address$/, email)
    await typeInto(page, /^Password$/, customer.password)
    await typeInto(page, /^Repeat password$/, customer.password)
    await tabTo(page, 'checkbox', /terms/)
    await page.keyboard.press('Space')
    await tabTo(page, 'button', /^Register$/)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/en\/auth\/verify/)
  })
  await test.step('without the code everything is seen, and topping up waits for it', async () => {
    await tabTo(page, 'button', /^Later$/)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/dashboard\/summary/)
    await expect(page.getByText(/Confirm your e.mail to top up, rent or open more than one ticket/)).toBeVisible()
    await page.goto('/dashboard/balance/summary')
    await typeInto(page, /^Amount$/, '5000')
    await tabTo(page, 'checkbox', /./)
    await page.keyboard.press('Space')
    await tabTo(page, 'button', /^Pay/)
    await page.keyboard.press('Enter')
    await expect(page.getByText(/^Please confirm your e.mail address first\. You weren't charged\.$/)).toBeVisible()
    await page.goto('/en/auth/verify')
  })
  await test.step('a wrong code says so, and a new one waits', async () => {
    await expect(page.getByText(`We sent a six-digit code to ${email}.`)).toBeVisible()
    const code = await mailedCode(readWith(page), email)
    await typeInto(page, /^Code$/, code === '000000' ? '000001' : '000000')
    await expect(page.getByText('Invalid code.')).toBeVisible()
    await tabTo(page, 'button', /^Send a new code$/)
    await page.keyboard.press('Enter')
    await expect(page.getByText(/You can request a new one in \d+ s\./)).toBeVisible()
    // A person who asks later than a minute after the first mail gets another one, with another code.
    const arrived = /\/dashboard\/balance\/summary/
    await expect(async () => {
      // The code before may have been right, and its answer slow.
      if (!arrived.test(page.url())) await typeInto(page, /^Code$/, await mailedCode(readWith(page), email))
      await page.waitForURL(arrived, { timeout: 15_000 })
    }).toPass({ timeout: 90_000 })
  })
  await test.step('change the password', async () => {
    await page.goto('/dashboard/settings/security')
    await expect(page.getByText('confirmed', { exact: true })).toBeVisible()
    await typeInto(page, /^Current password$/, customer.password)
    await typeInto(page, /^New password$/, NEW_PASSWORD)
    await typeInto(page, /^Repeat new password$/, 'a typing mistake')
    await page.keyboard.press('Enter')
    await expect(page.getByText('The given passwords are mismatching.')).toBeVisible()
    await tabTo(page, 'textbox', /^Repeat new password$/)
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(NEW_PASSWORD)
    await page.keyboard.press('Enter')
    await expect(page.getByText(/You are signed out on all other devices/)).toBeVisible()
  })
  await test.step('log out', async () => {
    await tabTo(page, 'button', /account:/)
    await page.keyboard.press('Enter')
    await tabTo(page, 'button', /^Sign out$/)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/auth\/login/)
  })
  await signIn(page, { ...customer, password: NEW_PASSWORD })
})

test('an e-mail address is changed and taken back, and a forgotten password is replaced', async ({
  page,
  browser,
  baseURL,
}) => {
  const customer = await register(page)
  const [email, next] = [`${customer.username}@example.com`, `new-${customer.username}@example.com`]
  await page.goto('/dashboard/settings/security')
  const panel = page.getByRole('region', { name: /^E.mail address$/ })
  await panel.getByLabel(/^New e.mail address/).fill(next)
  await panel.getByLabel('Current password').fill(customer.password)
  await panel.getByRole('button', { name: 'Change address' }).click()
  await expect(panel.getByText(`We sent a link to ${next}.`)).toBeVisible()
  await page.goto(await mailedLink(readWith(page), next, /^\/auth\/email\?confirm=/))
  await expect(page).toHaveURL(/\/auth\/email$/)
  await page.getByRole('button', { name: 'Confirm this address' }).click()
  await expect(page.getByText(/^The new e.mail address is confirmed\.$/)).toBeVisible()
  await page.goto('/dashboard/settings/security')
  await expect(panel.getByText(next)).toBeVisible()
  await page.goto(await mailedLink(readWith(page), email, /^\/auth\/email\?undo=/))
  await page.getByRole('button', { name: 'Undo the change' }).click()
  await expect(page.getByText(/^Your old e.mail address is back in use\.$/)).toBeVisible()
  await page.goto('/dashboard/settings/security')
  await expect(page).toHaveURL(/\/auth\/login/)
  await signIn(page, customer)

  // The link leaves the address at once, and every device is logged out.
  const context = await browser.newContext({ baseURL: baseURL ?? '', locale: 'en-GB' })
  const phone = await context.newPage()
  await phone.goto('/en/auth/login')
  await hydrated(phone)
  await phone.getByRole('link', { name: 'Forgot your password?' }).click()
  await phone.getByLabel(/^E.mail address/).fill(email)
  await phone.getByRole('button', { name: 'Send the link' }).click()
  await expect(phone.getByText(/If an account with this address exists/)).toBeVisible()
  const link = await mailedLink(readWith(page), email, /^\/auth\/passwordreset\?token=/)
  await phone.goto(link)
  await expect(phone).toHaveURL(/\/auth\/passwordreset$/)
  await phone.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
  await phone.getByLabel('Repeat new password', { exact: true }).fill(NEW_PASSWORD)
  await phone.getByRole('button', { name: 'Set password' }).click()
  await expect(phone.getByText('Your new password is set.')).toBeVisible()
  await phone.goto(link)
  await phone.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
  await phone.getByLabel('Repeat new password', { exact: true }).fill(NEW_PASSWORD)
  await phone.getByRole('button', { name: 'Set password' }).click()
  await expect(phone.getByText('This link is no longer valid.')).toBeVisible()
  await expect(page, 'the open dashboard is told').toHaveURL(/\/auth\/login/)
  await signIn(phone, { ...customer, password: NEW_PASSWORD })
  await context.close()
})
