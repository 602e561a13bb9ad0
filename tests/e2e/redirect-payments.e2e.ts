import type { Page } from '@playwright/test'
import { extractText, getDocumentProxy } from 'unpdf'
import { Balance } from '../../src/contracts/http/balance.ts'
import { startBarion, type BarionEmulator } from '../emulators/barion/barion.ts'
import { aggregator } from '../emulators/phone/aggregator.ts'
import { violations } from '../support/axe.ts'
import { arrive, topUp } from '../support/journey.ts'
import { BARION_KEYS, PHONE_SECRET } from '../support/worker-demo.ts'
import { expect, test } from './test.ts'

let barion: BarionEmulator
test.beforeEach(async ({ paymentPorts }) => {
  barion = await startBarion({ ...BARION_KEYS, port: paymentPorts.barion })
})
test.afterEach(() => barion.close())

const balanceFt = async (page: Page) => Balance.parse(await (await page.request.get('/api/balance')).json()).balanceFt

async function beginBarion(page: Page, amountFt: number): Promise<void> {
  await page.goto('/dashboard/balance/summary')
  await page.getByLabel('Amount', { exact: true }).fill(String(amountFt))
  await page.getByRole('radio', { name: /Barion/ }).check()
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: /^Pay/ }).click()
  await page.waitForURL(/\/Pay\?id=/i)
}

test('pays on Barion’s page, and the way back says that the money is there', async ({ page }) => {
  await arrive(page)
  await beginBarion(page, 5_000)
  await page.getByRole('button', { name: 'Fizetés' }).click()
  await page.waitForURL(/\/dashboard\/balance\/ok/)
  await expect(page.getByText(/added to your balance\./)).toBeVisible()
  expect(await violations(page)).toEqual([])
  expect(await balanceFt(page)).toBe(5_000)
  expect(barion.payments()).toHaveLength(1)
})

test('gives up on Barion’s page, goes back by the browser, and then pays', async ({ page }) => {
  await arrive(page)
  await beginBarion(page, 2_000)
  await page.getByRole('button', { name: 'Mégse' }).click()
  await page.waitForURL(/\/dashboard\/balance\/ok/)
  await expect(page.getByText('The payment failed.')).toBeVisible()
  await page.getByRole('link', { name: 'Try again' }).click()
  await page.waitForURL(/\/dashboard\/balance\/summary/)
  await beginBarion(page, 2_500)
  // The browser may show the page as it was left, with its button still waiting: it must be usable.
  await page.goBack()
  await page.waitForURL(/\/dashboard\/balance\/summary/)
  await expect(page.getByRole('button', { name: /^Pay/ })).toBeEnabled()
  expect(await balanceFt(page)).toBe(0)
  await beginBarion(page, 3_000)
  await page.getByRole('button', { name: 'Fizetés' }).click()
  await page.waitForURL(/\/dashboard\/balance\/ok/)
  await expect(page.getByText(/added to your balance\./)).toBeVisible()
  expect(await balanceFt(page)).toBe(3_000)
})

test('pays by text message: 1905 paid gives 800, told before anything is sent', async ({ page, demo }) => {
  await arrive(page)
  await page.goto('/dashboard/balance/summary')
  await page.getByRole('radio', { name: 'Text message or call' }).check()
  await expect(page.getByText('By text message. 800 Ft is added to your balance.')).toBeVisible()
  await page
    .getByRole('radio', { name: /You pay/ })
    .first()
    .check()
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Show number' }).click()
  await page.waitForURL(/\/dashboard\/balance\/ok/)
  await expect(page.getByRole('button', { name: 'Copy number: 06-90-888-333' })).toBeVisible()
  const shown = await page.getByRole('button', { name: /Copy text: BAKTER/ }).getAttribute('aria-label')
  const text = shown?.replace('Copy text: ', '') ?? ''
  await expect(page.getByText('1,905 Ft')).toBeVisible()
  expect(await violations(page)).toEqual([])
  const phone = aggregator({ secrets: [PHONE_SECRET], now: Date.now })
  const hook = `${demo.url}/payments/webhooks/phone`
  expect(await phone.deliver(hook, phone.sign(phone.message({ text })))).toBe(200)
  await expect(page.getByText(/added to your balance\./)).toBeVisible()
  expect(await balanceFt(page)).toBe(800)
  await page.goto('/dashboard/balance/summary')
  await page.getByRole('button', { name: /^Details: .*Top-up/ }).click()
  await expect(page.getByText('1,905 Ft paid − 1,105 Ft kept by the phone companies = 800 Ft')).toBeVisible()
})

test('opens a movement by keyboard to its formula and its invoice, whose text is right', async ({ page, demo }) => {
  await arrive(page)
  const contact = { firstName: 'Győző', lastName: 'Sűrű', streetAndHouseNumber: 'Őrház utca 1.', postalCode: '9021' }
  const saved = await page.request.patch('/api/user/me', {
    headers: { origin: new URL(demo.url).origin },
    data: { contact: { ...contact, city: 'Győr' }, invoiceType: 'electronic' },
  })
  expect(saved.status()).toBe(200)
  await topUp(page, 5_000)
  await page.goto('/dashboard/premium')
  await page.getByRole('button', { name: 'Buy Essentials' }).click()
  await page.locator('dialog[open]').getByRole('button', { name: /^Pay/ }).click()
  await expect(page.getByText(/You already have premium: Essentials/)).toBeVisible()
  await page.goto('/dashboard/balance/summary')
  const line = page.getByRole('button', { name: /^Details: .*Premium/ })
  await line.focus()
  await page.keyboard.press('Enter')
  await expect(line).toHaveAttribute('aria-expanded', 'true')
  await expect(page.getByText('Premium Essentials')).toBeVisible()
  expect(await violations(page)).toEqual([])
  const [paper] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /\(PDF\)$/ }).click(),
  ])
  expect(paper.suggestedFilename()).toMatch(/^[A-Z-]+\d{4}-\d+\.pdf$/)
  await page.goto('/dashboard/balance/invoices')
  const [listed] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: /^Download .* as PDF$/ })
      .first()
      .click(),
  ])
  const chunks: Buffer[] = []
  for await (const chunk of await listed.createReadStream()) chunks.push(chunk as Buffer)
  const pdf = await getDocumentProxy(new Uint8Array(Buffer.concat(chunks)))
  const { text } = await extractText(pdf, { mergePages: true })
  for (const words of ['Sűrű', 'Győző', 'Őrház utca 1.', 'Győr', 'Premium Essentials']) expect(text).toContain(words)
})
