// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { StatementEntry } from '#contracts/http/balance.ts'
import { LedgerTable } from '../../../../src/features/billing/ledger-table.tsx'
import { ToastProvider } from '../../../../src/ui/surfaces/toast.tsx'
import { eventually, shownPage } from '../../../support/shown-page.tsx'
import type { ShownPage } from '../../../support/shown-page.tsx'

vi.mock('next/navigation', () => ({ useRouter: () => ({ push: () => {} }) }))

const ID = '01890000-0000-7000-8000-000000000001'
const pending = StatementEntry.parse({
  id: ID,
  amount: 5_000,
  type: 'top-up',
  paymentType: 'sandbox',
  status: 'processing',
  reason: 'Top-up',
  refundedFt: 0,
  createdAt: '2026-06-01T10:00:00.000Z',
  document: { kind: 'payment', id: ID },
})
const check = {
  transactionId: ID,
  paymentId: ID,
  method: 'sandbox',
  status: 'processing',
  amountFt: 5_000,
  creditedFt: 5_000,
  refundedFt: 0,
  next: { kind: 'redirect', url: 'https://pay.test/1' },
}

let page: ShownPage
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
})

const show = (row = pending) => {
  page = shownPage(
    <ToastProvider closeLabel="Close">
      <LedgerTable rows={[row]} />
    </ToastProvider>,
    {
      'POST /api/balance/topup/check': () => Response.json(check),
      'POST /api/balance/topup/cancel': () => Response.json({ ...check, status: 'failed', next: null }),
    },
  )
}

test('a pending top-up goes on at the address of its provider', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
  show()
  const go = await page.see('button', 'Continue')
  go.click()
  await eventually(() => expect(assign).toHaveBeenCalledWith('https://pay.test/1'))
})

test('a pending top-up is cancelled, and the reader is told that late money still counts', async () => {
  show()
  const cancel = await page.see('button', 'Cancel')
  cancel.click()
  expect(await page.see('*', 'Money that still arrives is added to your balance.')).toBeDefined()
  expect(page.calls.map(({ name, body }) => [name, body])).toEqual([
    ['POST /api/balance/topup/cancel', { transaction: ID }],
  ])
})

test('a finished or failed top-up offers neither', async () => {
  show({ ...pending, status: 'failed' })
  await page.see('.lamp', 'Failed')
  expect(page.find('button', 'Continue')).toBeUndefined()
  expect(page.find('button', 'Cancel')).toBeUndefined()
})
