// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { Proposals } from '../../../../../src/cms/admin/money/proposals.tsx'
import { press, settled, showAdmin, textOf, type AskedOf } from '../../../../support/admin-screen.tsx'
import { reader, toast } from '../../../../support/payload-ui.tsx'

vi.mock('@payloadcms/ui', () => import('../../../../support/payload-ui.tsx'))

const AT = '2026-06-01T10:00:00.000Z'
const proposal = (proposedBy: string) => ({
  id: 'p',
  act: 'credit',
  userId: 'owes',
  direction: 'debit',
  bucket: 'money',
  amountFt: 500,
  withDebt: false,
  paymentId: null,
  reason: 'Credited twice',
  state: 'open',
  proposedBy,
  decidedBy: null,
  note: '',
  createdAt: AT,
  expiresAt: AT,
  decidedAt: null,
})
const people = { docs: [{ id: 'owes', username: 'Réka' }] }

/** The site with one proposal, by whoever. */
const site =
  (proposedBy = 'another') =>
  ({ method, path, body }: AskedOf) => {
    if (path.startsWith('/api/cms/users')) return people
    if (method === 'GET') return { items: [proposal(proposedBy)], next: null, limitFt: 10_000 }
    return { state: (body as { decision: string }).decision === 'confirm' ? 'confirmed' : 'refused' }
  }

test.each(['Approve', 'Reject'])('the question whether to %s a proposal names the customer', async (name) => {
  await showAdmin(<Proposals turn={0} />, site())
  await settled()
  await press(name)
  expect(textOf('dialog p')).toContain('Customer: Réka')
  expect(textOf('dialog h2')).toBe(`${name}: 500 Ft`)
})

test("taking back one's own proposal is called so, and is a refusal to the site", async () => {
  const { posts } = await showAdmin(<Proposals turn={0} />, site(reader.id))
  await settled()
  await press('Withdraw')
  expect(textOf('dialog h2')).toBe('Withdraw: 500 Ft')
  toast.success.mockClear()
  await press('Withdraw')
  expect(posts()[0]?.body).toEqual({ decision: 'refuse', note: '' })
  expect(toast.success.mock.calls).toEqual([['Withdrawn. No money was moved.']])
})
