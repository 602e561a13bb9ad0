import type { Page } from '@playwright/test'
import { startStripe, type StripeEmulator } from '../emulators/stripe/stripe-server.ts'
import { violations } from '../support/axe.ts'
import { arrive, rentByApi, signInByApi, type NewCustomer } from '../support/journey.ts'
import { STRIPE_KEYS } from '../support/worker-demo.ts'
import { otherPage } from '../support/other-page.ts'
import { expect, test } from './test.ts'

let stripe: StripeEmulator
test.beforeEach(async ({ demo, paymentPorts }) => {
  const webhookUrl = `${demo.url}/payments/webhooks/stripe`
  stripe = await startStripe({ ...STRIPE_KEYS, port: paymentPorts.stripe, webhookUrl })
})
test.afterEach(() => stripe.close())

const PAGES = [
  'transactions',
  'payments',
  'unmatched',
  'credits',
  'debts',
  'invoices',
  'servers',
  'ledger',
  'clock',
] as const
const REASON = 'The customer asked for it by mail.'

/** The findings of axe in the page's own part: the frame around it is Payload's. */
const faultsOf = (page: Page): Promise<string[]> => violations(page, '.bakter-money')

/** Pays by card with the emulator's books, without the card form. */
async function payByCard(page: Page, amountFt: number): Promise<void> {
  const answer = await page.request.post('/api/balance/topup', {
    headers: { origin: new URL(page.url()).origin },
    data: { amount: amountFt, method: 'stripe', acceptTerms: true },
  })
  expect(answer.status(), await answer.text()).toBe(201)
  const intent = [...stripe.books.intents.values()].at(-1)
  stripe.books.confirm(intent?.id ?? '', 'pm_card_visa', '')
  await expect.poll(() => balanceOf(page)).toBe(amountFt)
}
const balanceOf = async (page: Page): Promise<number> =>
  ((await (await page.request.get('/api/balance')).json()) as { balanceFt: number }).balanceFt

const choose = async (page: Page, { username }: NewCustomer, within: ReturnType<Page['locator']>) => {
  await within.getByLabel('Find the customer').fill(username)
  await within.getByRole('button', { name: username }).click()
}
const dialogOf = (page: Page) => page.locator('dialog[open]')

/** Another administrator, made by the first as the form of accounts does. */
async function promote(page: Page, person: NewCustomer, origin: string): Promise<void> {
  type Docs = { docs: { id: string }[] }
  const find = async (path: string) => ((await (await page.request.get(path)).json()) as Docs).docs[0]?.id
  const role = await find('/api/cms/roles?where[isAdmin][equals]=true&limit=1&depth=0')
  const user = await find(`/api/cms/users?where[username][equals]=${person.username}&limit=1&depth=0`)
  const answer = await page.request.patch(`/api/cms/users/${user}`, { headers: { origin }, data: { role: [role] } })
  expect(answer.status(), await answer.text()).toBe(200)
}

test('an administrator refunds, assigns and proposes; a second one confirms, and the customer sees it', async ({
  page,
  browser,
  demo,
}) => {
  test.setTimeout(240_000)
  const customer = await otherPage(browser, demo.url)
  const person = await arrive(customer)
  await payByCard(customer, 8_000)
  const second = await otherPage(browser, demo.url)
  const colleague = await arrive(second)
  // Money that belongs to no payment.
  const stray = stripe.books.create({ amount: 190_500, currency: 'huf', metadata: {}, description: null })
  stripe.books.confirm(stray.id, 'pm_card_visa', '')

  await page.goto('/en')
  await signInByApi(page, demo.admin)
  await promote(page, colleague, demo.url)

  await test.step('sends a part of a payment back', async () => {
    await page.goto('/admin/money/payments')
    await choose(page, person, page.locator('.bakter-money'))
    const row = page.getByRole('row').filter({ hasText: person.username })
    await expect(row).toHaveCount(1)
    await row.getByRole('button', { name: /Details/ }).click()
    await page.getByRole('button', { name: 'Refund to the payment method' }).click()
    await dialogOf(page).getByLabel('Amount in forints').fill('3000')
    await dialogOf(page).getByLabel('Reason').fill('short')
    await dialogOf(page)
      .getByRole('button', { name: /^Refund \d/ })
      .click()
    await expect(dialogOf(page).getByRole('alert')).not.toBeEmpty()
    await dialogOf(page).getByLabel('Reason').fill(REASON)
    expect(await violations(page, '.bakter-dialog')).toEqual([])
    await dialogOf(page)
      .getByRole('button', { name: /^Refund \d/ })
      .click()
    await expect(page.getByText('Refunded', { exact: true }).first()).toBeVisible()
    await expect(page.locator('.bakter-list')).toContainText(REASON)
    expect(await faultsOf(page)).toEqual([])
    await expect.poll(() => balanceOf(customer)).toBe(5_000)
  })

  await test.step('gives unmatched money to its customer', async () => {
    await page.goto('/admin/money/unmatched')
    const row = page.getByRole('row').filter({ hasText: '1,905' })
    await row.getByRole('button', { name: 'Assign' }).click()
    await choose(page, person, dialogOf(page))
    await dialogOf(page).getByLabel('Reason').fill('Found by the name on the card.')
    await dialogOf(page).getByRole('button', { name: 'Assign', exact: true }).click()
    await expect(row).toHaveCount(0)
    await expect.poll(() => balanceOf(customer)).toBe(6_905)
  })

  await test.step('proposes a credit above the limit, and cannot confirm it', async () => {
    await page.goto('/admin/money/credits')
    await choose(page, person, page.locator('.bakter-form'))
    await page.getByLabel('Amount in forints').fill('12 000')
    await page.getByLabel('Reason').fill(REASON)
    await page.getByRole('button', { name: 'Check' }).click()
    await dialogOf(page).getByRole('button', { name: 'Confirm' }).click()
    const row = page.getByRole('row').filter({ hasText: person.username })
    await expect(row).toContainText('Yours: another administrator approves it.')
    await expect(row.getByRole('button', { name: 'Approve' })).toHaveCount(0)
    expect(await faultsOf(page)).toEqual([])
    expect(await balanceOf(customer)).toBe(6_905)
    // The page offers no word of one's own, and the route refuses it.
    const { items } = (await (await page.request.get('/api/admin/proposals')).json()) as { items: { id: string }[] }
    const own = await page.request.post(`/api/admin/proposals/${items[0]?.id}`, {
      headers: { origin: demo.url, 'idempotency-key': 'a-word-of-my-own' },
      data: { decision: 'confirm', note: '' },
    })
    expect([own.status(), await own.text()]).toEqual([403, expect.stringContaining('SECOND_PERSON_NEEDED')])
  })

  await test.step('a second administrator confirms', async () => {
    await second.goto('/admin/money/credits')
    const row = second.getByRole('row').filter({ hasText: person.username })
    await row.getByRole('button', { name: 'Approve' }).click()
    await dialogOf(second).getByRole('button', { name: 'Approve' }).click()
    await expect(row).toHaveCount(0)
  })

  await test.step('the customer sees it', async () => {
    await expect.poll(() => balanceOf(customer)).toBe(18_905)
    await customer.goto('/dashboard/balance/summary')
    const lines = customer.getByRole('row')
    await expect(lines.filter({ hasText: 'Correction' })).toContainText('12,000')
    await expect(lines.filter({ hasText: 'Refund' })).toContainText('3,000')
  })
})

test('an administrator refunds a server by the keyboard, and writes down how a dispute ended', async ({
  page,
  browser,
  demo,
}) => {
  test.setTimeout(240_000)
  const customer = await otherPage(browser, demo.url)
  const person = await rentByApi(customer, 'Watchman')
  await page.goto('/en')
  await signInByApi(page, demo.admin)
  const documents = async (): Promise<number> =>
    ((await (await customer.request.get('/api/balance/invoices')).json()) as { items: unknown[] }).items.length
  await expect.poll(documents, { timeout: 60_000 }).toBe(1)
  const before = await balanceOf(customer)

  await test.step('reads what was paid, is told what is wrong, and gives a part back once', async () => {
    await page.goto('/admin/money/servers')
    await choose(page, person, page.getByRole('region', { name: 'Refund a server' }))
    await page.getByRole('button', { name: 'Refund Watchman' }).focus()
    await page.keyboard.press('Enter')
    const dialog = dialogOf(page)
    await expect(dialog.getByText('Paid', { exact: true })).toBeVisible()
    const amount = dialog.getByLabel('Amount in forints')
    await expect(amount).toBeFocused()
    for (const wrong of ['0', '-1', '1e3', '1e309', '10,5', '99 999 999', '']) {
      await amount.fill(wrong)
      await page.keyboard.press('Enter')
      await expect(dialog.getByRole('alert')).toContainText('Whole forints')
    }
    await amount.fill('100')
    await page.keyboard.press('Enter')
    // The amount is right, and a reason is missing.
    await expect(dialog.getByRole('alert')).not.toContainText('Whole forints')
    await expect(dialog.getByRole('alert')).not.toBeEmpty()
    await amount.focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await expect(dialog.getByRole('checkbox')).toBeChecked()
    await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
    await page.keyboard.type(REASON)
    expect(await violations(page, '.bakter-dialog')).toEqual([])
    await dialog.getByRole('button', { name: /^Refund / }).dblclick()
    await expect(dialog).toHaveCount(0)
    await expect.poll(() => balanceOf(customer)).toBe(before + 100)
    await page.getByRole('button', { name: 'Refund Watchman' }).click()
    await expect(dialogOf(page)).toContainText('Refunded so far')
    await page.keyboard.press('Escape')
    await expect(dialogOf(page)).toHaveCount(0)
  })

  await test.step('sees the correction right below the invoice that it corrects', async () => {
    // Documents are written after the money has moved, and the list is read once.
    await expect.poll(documents, { timeout: 90_000 }).toBe(2)
    await page.goto('/admin/money/invoices')
    await choose(page, person, page.locator('.bakter-money'))
    const rows = page.getByRole('row')
    await expect(rows).toHaveCount(3)
    await expect(rows.nth(1)).toContainText('Corrected')
    await expect(rows.nth(2)).toContainText(/Correction of .*-.*100/s)
    await expect(rows.nth(2)).toContainText(REASON)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      rows.nth(2).getByRole('button', { name: /PDF/ }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/\.pdf$/)
    expect(await faultsOf(page)).toEqual([])
  })

  await test.step('a bank took a payment back, and gave it back in the end', async () => {
    await page.goto('/admin/money/payments')
    await choose(page, person, page.locator('.bakter-money'))
    await page
      .getByRole('row')
      .filter({ hasText: person.username })
      .getByRole('button', { name: /Details/ })
      .click()
    await page.getByRole('button', { name: 'Charged back by the bank' }).click()
    await dialogOf(page).getByLabel('Amount in forints').fill('1000')
    await dialogOf(page).getByLabel('Reason').fill('A letter of the bank of today.')
    await dialogOf(page).getByRole('button', { name: 'Charged back by the bank' }).click()
    await expect(dialogOf(page)).toHaveCount(0)
    await expect(page.locator('.bakter-list').last()).toContainText('From the balance')
    await expect.poll(() => balanceOf(customer)).toBe(before - 900)
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Dispute won' }).click()
    await dialogOf(page).getByLabel('Reason').fill('The bank changed its mind.')
    await dialogOf(page).getByRole('button', { name: 'Dispute won' }).click()
    await expect(page.locator('.bakter-list').last()).toContainText('Won, returned')
    await expect.poll(() => balanceOf(customer)).toBe(before + 100)
  })

  await test.step('a customer sees none of it', async () => {
    await customer.goto('/admin/money/payments')
    await expect(customer.locator('.bakter-money')).toHaveCount(0)
    for (const path of ['payments', 'invoices', 'proposals', `servers/${person.serverId}/refund`]) {
      expect([path, (await customer.request.get(`/api/admin/${path}`)).status()]).toEqual([path, 403])
    }
  })
})

test('each page about money has no fault of its own, wide and narrow, and its lists can be read on a phone', async ({
  page,
  demo,
}) => {
  test.setTimeout(240_000)
  await page.goto('/en')
  await signInByApi(page, demo.admin)
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    for (const name of PAGES) {
      await page.goto(`/admin/money/${name}`)
      await expect(page.locator('.bakter-money h1')).toBeVisible()
      await page.waitForLoadState('networkidle')
      expect([name, width, await faultsOf(page)]).toEqual([name, width, []])
      const isWider = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
      expect([name, width, isWider]).toEqual([name, width, false])
    }
  }
})

test('support sees none of it: neither menu, nor pages, nor data', async ({ page, demo }) => {
  await page.goto('/en')
  await signInByApi(page, demo.support)
  await page.goto('/admin/collections/ticket-categories')
  await expect(page.locator('nav').getByText('Money', { exact: true })).toHaveCount(0)
  for (const name of PAGES) {
    await page.goto(`/admin/money/${name}`)
    await expect(page.getByRole('heading', { name: 'You can manage tickets here' })).toBeVisible()
    await expect(page.locator('.bakter-money')).toHaveCount(0)
  }
  for (const path of ['transactions', 'payments', 'unmatched', 'ledger', 'debts', 'proposals', 'billing-clock']) {
    expect([path, (await page.request.get(`/api/admin/${path}`)).status()]).toEqual([path, 403])
  }
})
