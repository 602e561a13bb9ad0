// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TopupPanel } from '../../../../src/features/billing/topup-panel.tsx'
import { eventually, refused, shownPage } from '../../../support/shown-page.tsx'
import type { ShownPage } from '../../../support/shown-page.tsx'

let address = ''
vi.mock('next/navigation', () => ({ useSearchParams: () => new URLSearchParams(address) }))

const TOPUP = 'POST /api/balance/topup'
const balance = {
  balanceFt: 1_000,
  moneyFt: 1_000,
  bonusFt: 0,
  heldFt: 0,
  methods: [{ id: 'sandbox', sandbox: true, minimumFt: 500, maximumFt: 100_000 }],
}
const opened = { transactionId: '01890000-0000-7000-8000-000000000001', redirectUrl: '#pay' }

let page: ShownPage
beforeEach(() => {
  window.location.hash = ''
  address = ''
})
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
})

const show = async (...answers: Response[]) => {
  page = shownPage(<TopupPanel onAmount={() => {}} />, {
    'GET /api/balance': () => Response.json(balance),
    [TOPUP]: () => answers.shift() ?? refused('INTERNAL'),
  })
  return {
    amount: await page.see<HTMLInputElement>('[name=amount]'),
    terms: await page.see<HTMLInputElement>('[type=checkbox]'),
    pay: () => page.find<HTMLButtonElement>('button[type=submit]')?.click(),
  }
}
const sent = () => page.calls.filter(({ name }) => name === TOPUP)

test.each([
  ['', 'Enter an amount.'],
  ['10,5', 'Digits only: whole forints.'],
  ['499', 'At least 500 Ft.'],
  ['100001', 'At most 100,000 Ft per top-up.'],
])('the amount %j is refused at its field, which keeps it and has the focus', async (typed, words) => {
  const { amount, terms, pay } = await show()
  terms.click()
  page.type(amount, typed)
  pay()
  await page.see('.field__err', words)
  expect(amount.value).toBe(typed)
  expect(document.activeElement).toBe(amount)
  expect(sent()).toEqual([])
})

test('the amount of a link stands in the field although the browser still shows the address of the page before', async () => {
  address = 'amount=2000'
  expect(window.location.search).toBe('')
  const { amount } = await show()
  expect(amount.value).toBe('2,000')
})

test('an amount of a link that is no top-up leaves the usual one', async () => {
  address = 'amount=12'
  const { amount } = await show()
  expect(amount.value).toBe('5,000')
})

test('a payment without consent to the terms is refused at the box, and nothing is sent', async () => {
  const { terms, pay } = await show()
  pay()
  await eventually(() => expect(terms.getAttribute('aria-invalid')).toBe('true'))
  expect(document.activeElement).toBe(terms)
  expect(sent()).toEqual([])
})

test('a payment whose answer is lost is repeated under the same key, with the amount still in the field', async () => {
  const { amount, terms, pay } = await show(refused('CONTROL_PLANE_UNAVAILABLE'), Response.json(opened))
  page.type(amount, '7 000')
  terms.click()
  pay()
  await page.see('[role=alert]')
  expect(amount.value).toBe('7 000')
  pay()
  await eventually(() => expect(window.location.hash).toBe('#pay'))
  expect(sent().map(({ body }) => body)).toEqual(
    [1, 2].map(() => ({ amount: 7_000, method: 'sandbox', acceptTerms: true })),
  )
  expect(new Set(sent().map(({ key }) => key)).size).toBe(1)
})

test('a payment under changed terms whose answer is lost is repeated under the same key', async () => {
  const lost = refused('CONTROL_PLANE_UNAVAILABLE')
  const { terms, pay } = await show(refused('TERMS_CHANGED', { version: '3' }), lost, Response.json(opened))
  terms.click()
  pay()
  await eventually(() => expect(terms.checked).toBe(false))
  terms.click()
  pay()
  await eventually(() => expect(sent()).toHaveLength(2))
  await eventually(() => expect(page.find('[role=alert]', "You weren't charged.")).toBeDefined())
  pay()
  await eventually(() => expect(window.location.hash).toBe('#pay'))
  const [, first, second] = sent()
  expect(second).toEqual(first)
  expect(second?.body).toMatchObject({ termsVersion: '3' })
})

test('terms that changed are to be accepted again, by their version', async () => {
  const { terms, pay } = await show(refused('TERMS_CHANGED', { version: '3' }), Response.json(opened))
  terms.click()
  pay()
  await page.see('[role=alert]')
  await eventually(() => expect(terms.checked).toBe(false))
  expect(terms.getAttribute('aria-invalid')).toBeNull()
  terms.click()
  pay()
  await eventually(() => expect(window.location.hash).toBe('#pay'))
  expect(sent().map(({ body }) => body)).toMatchObject([{ acceptTerms: true }, { termsVersion: '3' }])
})
