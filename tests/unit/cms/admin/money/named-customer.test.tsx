// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { Debts } from '../../../../../src/cms/admin/money/debts.tsx'
import { Proposals } from '../../../../../src/cms/admin/money/proposals.tsx'
import { press, settled, showAdmin, textOf, type, type AskedOf } from '../../../../support/admin-screen.tsx'
import { reader, toast } from '../../../../support/payload-ui.tsx'

vi.mock('@payloadcms/ui', () => import('../../../../support/payload-ui.tsx'))

const AT = '2026-06-01T10:00:00.000Z'
const debt = { userId: 'owes', debtFt: 500, moneyFt: 0, since: AT }
const proposal = (proposedBy: string) => ({
  ...{ id: 'p', act: 'credit', userId: 'owes', direction: 'debit', bucket: 'money', amountFt: 500, withDebt: false },
  ...{ paymentId: null, reason: 'Credited twice', state: 'open', proposedBy, decidedBy: null, note: '' },
  ...{ createdAt: AT, expiresAt: AT, decidedAt: null },
})
const people = { docs: [{ id: 'owes', username: 'Réka' }] }

/** The site with one debt and one proposal, by whoever. */
const site =
  (proposedBy = 'another') =>
  ({ method, path, body }: AskedOf) => {
    if (path.startsWith('/api/cms/users')) return people
    if (path.startsWith('/api/admin/debts')) return method === 'GET' ? { items: [debt] } : { amountFt: 500 }
    if (method === 'GET') return { items: [proposal(proposedBy)], next: null, limitFt: 10_000 }
    return { state: (body as { decision: string }).decision === 'confirm' ? 'confirmed' : 'refused' }
  }

test('the question whether to give up a debt names who owes, and takes a reason with letters', async () => {
  const { posts } = await showAdmin(<Debts />, site())
  await settled()
  await press('Give up')
  expect(textOf('dialog p')).toContain('Customer: Réka')
  await type('Reason', '1234567890')
  await press('Give up')
  expect(textOf('dialog [role=alert]')).toBe('The reason needs at least 10 letters.')
  expect(posts()).toEqual([])
  await type('Reason', 'He is on good terms now')
  await press('Give up')
  expect(posts().map(({ path, body }) => [path, body])).toEqual([
    ['/api/admin/debts/owes/write-off', { reason: 'He is on good terms now' }],
  ])
})

test.each(['Confirm', 'Refuse'])('the question whether to %s a proposal names the customer', async (name) => {
  await showAdmin(<Proposals turn={0} />, site())
  await settled()
  await press(name)
  expect(textOf('dialog p')).toContain('Customer: Réka')
  expect(textOf('dialog h2')).toBe(`${name}: Ft 500`)
})

test("taking back one's own proposal is called so, and is a refusal to the site", async () => {
  const { posts } = await showAdmin(<Proposals turn={0} />, site(reader.id))
  await settled()
  await press('Take back')
  expect(textOf('dialog h2')).toBe('Take back: Ft 500')
  toast.success.mockClear()
  await press('Take back')
  expect(posts()[0]?.body).toEqual({ decision: 'refuse', note: '' })
  expect(toast.success.mock.calls).toEqual([['It is taken back. Nothing moved.']])
})
