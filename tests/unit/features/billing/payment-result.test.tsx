// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { PaymentResult } from '../../../../src/features/billing/payment-result.tsx'
import { refused, shownPage } from '../../../support/shown-page.tsx'
import type { ShownPage } from '../../../support/shown-page.tsx'

vi.mock('next/navigation', () => ({ useSearchParams: () => new URLSearchParams(window.location.search) }))

const ID = '01890000-0000-7000-8000-000000000001'
const older = {
  id: ID,
  type: 'top-up',
  amount: 5_000,
  paymentType: 'sandbox',
  status: 'finished',
  reason: '',
  refundedFt: 0,
  document: { kind: 'payment', id: ID },
  createdAt: new Date(0).toISOString(),
}
const check = {
  transactionId: ID,
  paymentId: ID,
  method: 'sandbox',
  status: 'finished',
  amountFt: 5_000,
  creditedFt: 5_000,
  refundedFt: 0,
  next: null,
}

let page: ShownPage
afterEach(() => {
  page.close()
  window.history.replaceState(null, '', '/')
  vi.unstubAllGlobals()
})

const show = (address: string) => {
  window.history.replaceState(null, '', address)
  page = shownPage(<PaymentResult />, {
    'GET /api/balance/transactions': () => Response.json({ items: [older], next: null }),
    'POST /api/balance/topup/check': ({ body }) =>
      (body as { transaction: string }).transaction === ID ? Response.json(check) : refused('NOT_FOUND'),
  })
  return page
}

test('an address without a payment shows no older one', async () => {
  await show('/en/dashboard/balance/ok').see('h1', 'No payment to show.')
  expect(page.calls).toEqual([])
})

test("an address with somebody else's payment shows none either", async () => {
  await show('/en/dashboard/balance/ok?transaction=other').see('h1', 'No payment to show.')
  expect(page.text()).not.toContain('added to your balance.')
})

test('an address with a payment shows its result', async () => {
  await show(`/en/dashboard/balance/ok?transaction=${ID}`).see('h1', 'added to your balance.')
  expect(page.text()).not.toContain('No payment to show.')
})
