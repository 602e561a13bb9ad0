// @vitest-environment happy-dom
import { act, type ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { StaffPayment } from '#contracts/http/staff-payments.ts'
import { PaymentDetail } from '../../../../src/cms/admin/money/payment-detail.tsx'
import { ServerRefund } from '../../../../src/cms/admin/money/server-refund.tsx'
import { Unmatched } from '../../../../src/cms/admin/money/unmatched.tsx'
import { press, settled, showAdmin, textOf, type, type AskedOf } from '../../../support/admin-screen.tsx'

vi.mock('@payloadcms/ui', () => import('../../../support/payload-ui.tsx'))

const ID = '01890000-0000-7000-8000-000000000001'
const AT = '2026-06-01T10:00:00.000Z'
const payment = StaffPayment.parse({
  id: ID,
  userId: ID,
  provider: 'barion',
  providerPaymentId: 'b',
  kind: 'card',
  amountFt: 900,
  creditedFt: 900,
  refundedFt: 0,
  refundableFt: 900,
  standing: 'settled',
  problem: null,
  failureCode: null,
  checks: 0,
  createdAt: AT,
  settledAt: AT,
  refunds: [],
  dispute: 'open',
  mayCloseDispute: true,
})
const unmatched = {
  id: ID,
  provider: 'barion',
  providerPaymentId: 'b',
  kind: 'settlement',
  problem: 'UNKNOWN_PAYMENT',
  amount: { minor: '900', currency: 'HUF', exponent: 0 },
  forwardedFt: 900,
  reference: null,
  paymentId: null,
  userId: null,
  state: 'open',
  resolution: null,
  creditedFt: null,
  createdAt: AT,
}
const quote = {
  serverId: ID,
  name: 'Watchman',
  paidFt: 900,
  returnedFt: 0,
  unusedFt: 900,
  unusedMoneyFt: 900,
  unusedBonusFt: 0,
  refundableFt: 900,
  expiry: AT,
}

const site = ({ path }: AskedOf): object => {
  if (path.startsWith('/api/cms/users')) return { docs: [{ id: ID, username: 'Réka' }] }
  if (path.startsWith('/api/admin/unmatched')) return { items: [unmatched], next: null }
  if (path.startsWith('/api/admin/invoices')) return { items: [], next: null }
  if (path.endsWith('/refund')) return quote
  return { items: [{ id: ID, name: 'Watchman', identifier: 'w', isDeleted: false, expiry: AT }], next: null }
}
const nothing = () => {}
const detail = <PaymentDetail payment={payment} names={new Map([[ID, 'Réka']])} reload={nothing} onClose={nothing} />

const chooseCustomer = async () => {
  await type('Find the customer', 'réka')
  await act(async () => await new Promise<void>((resolve) => setTimeout(resolve, 350)))
  await settled()
  await press('Réka')
}

test.each<[string, ReactNode, () => Promise<void>, string]>([
  ['a refund of a payment', detail, () => press('Refund to the payment method'), 'Refund 900 Ft'],
  ['the end of a dispute', detail, () => press('Dispute won'), 'Dispute won'],
  ['money that is put away', <Unmatched key="1" />, () => press('Dismissed'), 'Dismissed'],
  [
    'a refund of a server',
    <ServerRefund key="2" />,
    async () => {
      await chooseCustomer()
      await press('Refund Watchman')
    },
    'Refund 900 Ft',
  ],
])('%s asks for a reason with letters before it asks the site', async (_name, shown, open, confirm) => {
  const { posts } = await showAdmin(shown, site)
  await open()
  await type('Reason', '1234567890')
  await press(confirm)
  expect(textOf('dialog [role=alert].bakter-fault')).toBe('The reason needs at least 10 letters.')
  expect(posts()).toEqual([])
  await type('Reason', 'Two days of outage')
  await press(confirm)
  expect(posts()).toHaveLength(1)
})
