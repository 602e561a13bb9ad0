// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { Payments } from '../../../../../src/cms/admin/money/payments.tsx'
import {
  choose,
  press,
  queryOf,
  refusal,
  settled,
  showAdmin,
  textOf,
  type,
  type AskedOf,
  type SiteAnswer,
} from '../../../../support/admin-screen.tsx'

vi.mock('@payloadcms/ui', () => import('../../../../support/payload-ui.tsx'))
const AT = '2026-06-01T10:00:00.000Z'
const payment = (id: string, refundableFt = 1000) => ({
  id,
  userId: 'u',
  provider: 'stripe',
  providerPaymentId: `pi_${id}`,
  kind: 'card',
  amountFt: 1000,
  creditedFt: 1000,
  refundedFt: 1000 - refundableFt,
  refundableFt,
  standing: 'settled',
  problem: null,
  failureCode: null,
  checks: 0,
  createdAt: AT,
  settledAt: AT,
  refunds: [],
})
const rows = () => document.querySelectorAll('tbody tr').length

/** Payments in pages of one. `lost` are pages that cannot be read, `hidden` what the filter leaves out. */
function paymentSite(ids: readonly string[]) {
  const state = { refundableFt: 1000, lost: new Set<string>(), hidden: new Set<string>() }
  const answer = (asked: AskedOf): SiteAnswer => {
    if (asked.path.startsWith('/api/cms')) return { docs: [] }
    if (asked.path.startsWith('/api/admin/invoices')) return { items: [], next: null }
    if (asked.method === 'POST') {
      state.refundableFt -= (asked.body as { amountFt: number }).amountFt
      return { refundId: 'r', state: 'requested' }
    }
    const { before = '', userId } = queryOf(asked.path)
    if (state.lost.has(before)) return refusal(503, 'CONTROL_PLANE_UNAVAILABLE')
    const left = ids.filter((id) => userId !== undefined || !state.hidden.has(id))
    const at = before === '' ? 0 : left.indexOf(before) + 1
    const id = left[at]
    if (id === undefined) return { items: [], next: null }
    return { items: [payment(id, state.refundableFt)], next: at + 1 < left.length ? id : null }
  }
  return { state, answer }
}

test('a further page that fails keeps the rows, and trying again reads that page', async () => {
  const { state, answer } = paymentSite(['p1', 'p2', 'p3'])
  const { asked } = await showAdmin(<Payments />, answer)
  await press('Show more')
  state.lost.add('p2')
  await press('Show more')
  expect([rows(), textOf('[role=alert]')]).toEqual([2, expect.stringContaining("This didn't load.")])
  state.lost.clear()
  await press('Try again')
  expect(rows()).toBe(3)
  expect(asked.map(({ path }) => queryOf(path)['before'] ?? '').filter((before) => before === 'p2')).toHaveLength(2)
})

test('a first page that fails shows no rows of another question', async () => {
  const { state, answer } = paymentSite(['p1'])
  await showAdmin(<Payments />, answer)
  state.lost.add('')
  await choose('disputed')
  expect([rows(), textOf('[role=alert]')]).toEqual([0, expect.stringContaining("This didn't load.")])
})

test.each([
  ['is reached by further pages', false],
  ['leaves the list by it', true],
])('a payment that %s stays on the screen after a refund, as it is then', async (_, isHidden) => {
  const { state, answer } = paymentSite(['p1', 'p2'])
  await showAdmin(<Payments />, answer)
  await press('Show more')
  await act(async () =>
    document.querySelectorAll('tbody button')[1]?.dispatchEvent(new Event('click', { bubbles: true })),
  )
  await settled()
  expect(textOf('dl')).toContain('pi_p2')
  if (isHidden) state.hidden.add('p2')
  await press('Refund to the payment method')
  await type('Amount in forints', '400')
  await type('Reason', 'Two days of outage')
  await press('Refund 400 Ft')
  await settled()
  expect(textOf('dl')).toContain('pi_p2')
  expect(textOf('dl')).toContain('Refundable600 Ft')
  await press('Back to the list')
  expect(rows()).toBe(isHidden ? 1 : 2)
})
