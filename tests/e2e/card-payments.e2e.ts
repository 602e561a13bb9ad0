import type { Page } from '@playwright/test'
import { Balance } from '../../src/contracts/http/balance.ts'
import { startPaypal, type PaypalEmulator } from '../emulators/paypal/paypal-server.ts'
import { startStripe, type StripeEmulator } from '../emulators/stripe/stripe-server.ts'
import { violations } from '../support/axe.ts'
import { arrive } from '../support/journey.ts'
import { PAYPAL_KEYS, STRIPE_KEYS } from '../support/worker-demo.ts'
import { expect, test } from './test.ts'

let stripe: StripeEmulator
let paypal: PaypalEmulator
test.beforeEach(async ({ demo, paymentPorts }) => {
  const hooks = `${demo.url}/payments/webhooks`
  stripe = await startStripe({ ...STRIPE_KEYS, port: paymentPorts.stripe, webhookUrl: `${hooks}/stripe` })
  paypal = await startPaypal({ ...PAYPAL_KEYS, port: paymentPorts.paypal, webhookUrl: `${hooks}/paypal` })
})
test.afterEach(async () => {
  await Promise.all([stripe.close(), paypal.close()])
})

async function begin(page: Page, method: RegExp, amountFt: number): Promise<void> {
  await page.goto('/dashboard/balance/summary')
  await page.getByLabel('Amount', { exact: true }).fill(String(amountFt))
  await page.getByRole('radio', { name: method }).check()
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: /^Pay/ }).click()
}
const beginCard = async (page: Page, amountFt = 5_000) => {
  await begin(page, /Google Pay/, amountFt)
  await page.waitForURL(/\/dashboard\/balance\/card\?transaction=/)
}
const fields = (page: Page) => page.frameLocator('iframe[title="Secure payment input frame"]')
const payWith = async (page: Page, number: string) => {
  await fields(page).getByLabel('Card number').fill(number)
  await page.getByRole('button', { name: /^Pay/ }).click()
}
const arrived = async (page: Page, amountFt: number) => {
  await page.waitForURL(/\/dashboard\/balance\/ok/)
  await expect(page.getByText(/added to your balance\./)).toBeVisible()
  expect(Balance.parse(await (await page.request.get('/api/balance')).json()).balanceFt).toBe(amountFt)
}

test('pays by card after 3-D Secure', async ({ page }) => {
  await arrive(page)
  await beginCard(page)
  await payWith(page, '4000 0025 0000 3155')
  await page.waitForURL(/\/3ds\//)
  await page.getByRole('button', { name: 'Fail' }).click()
  await page.waitForURL(/\/dashboard\/balance\/card/)
  await expect(page.getByRole('alert').filter({ hasText: "Your bank didn't confirm" })).toBeVisible()
  // The secret does not stay in the address.
  expect(page.url()).toMatch(/\/dashboard\/balance\/card\?transaction=[0-9a-f-]+$/)
  await payWith(page, '4000 0025 0000 3155')
  await page.waitForURL(/\/3ds\//)
  await page.getByRole('button', { name: 'Complete' }).click()
  await arrived(page, 5_000)
  expect(stripe.books.intents.size).toBe(1)
})

test('pays with another card after one was declined, on the same payment', async ({ page }) => {
  await arrive(page)
  await beginCard(page, 1_990)
  await expect(fields(page).getByLabel('Card number')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: /^Pay/ }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'incomplete' })).toBeVisible()
  await payWith(page, '4000 0000 0000 0002')
  await expect(page.getByRole('alert').filter({ hasText: 'declined' })).toBeVisible()
  await payWith(page, '4242 4242 4242 4242')
  await arrived(page, 1_990)
  const [intent] = stripe.books.intents.values()
  expect([stripe.books.intents.size, intent?.amount, intent?.status]).toEqual([1, 199_000, 'succeeded'])
})

test('pays with a wallet, which finds the proof of the domain', async ({ page }) => {
  await arrive(page)
  const proof = await page.request.get('/.well-known/apple-developer-merchantid-domain-association', {
    maxRedirects: 0,
  })
  expect([proof.status(), await proof.text()]).toEqual([200, 'the proof of this domain'])
  await beginCard(page)
  const wallets = page.frameLocator('iframe[title="Secure express checkout frame"]')
  await wallets.getByRole('button', { name: 'Apple Pay' }).click()
  await arrived(page, 5_000)
})

test('says in words that the card fields did not load, and loads them when asked again', async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/Failed to load resource: the server responded with a status of 503/)
  await arrive(page)
  stripe.set('no script')
  await beginCard(page)
  await expect(page.getByText("The card fields didn't load.")).toBeVisible()
  stripe.set('nothing')
  await page.getByRole('button', { name: 'Try again' }).click()
  await payWith(page, '4242 4242 4242 4242')
  await arrived(page, 5_000)
})

test('keeps the provider’s script and the wider policy on the card page alone', async ({ page }) => {
  await arrive(page)
  const policyOf = async (path: string) => (await page.request.get(path)).headers()['content-security-policy'] ?? ''
  expect(await policyOf('/dashboard/balance/summary')).not.toContain(new URL(stripe.url).host)
  await beginCard(page)
  expect(await policyOf('/dashboard/balance/card')).toContain(`frame-src ${stripe.url}`)
  await expect(fields(page).getByLabel('Card number')).toBeVisible()
  await page.getByRole('link', { name: 'Pay another way' }).click()
  await page.waitForURL(/\/dashboard\/balance\/summary/)
  await expect(page.getByLabel('Amount', { exact: true })).toBeVisible()
  expect(await page.evaluate(() => 'Stripe' in window)).toBe(false)
})

test('pays with PayPal, and comes back from its page without having paid', async ({ page }) => {
  await arrive(page)
  await begin(page, /PayPal/, 3_000)
  await page.waitForURL(/\/checkoutnow\?token=/)
  await page.getByRole('button', { name: 'Cancel and return' }).click()
  await page.waitForURL(/\/dashboard\/balance\/ok/)
  await begin(page, /PayPal/, 3_000)
  await page.waitForURL(/\/checkoutnow\?token=/)
  await page.getByRole('button', { name: 'Complete purchase' }).click()
  await arrived(page, 3_000)
  expect(paypal.books.captures.size).toBe(1)
})
