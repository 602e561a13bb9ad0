// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { Debts } from '../../../../../src/cms/admin/money/debts.tsx'
import { press, settled, showAdmin, textOf, type, type AskedOf } from '../../../../support/admin-screen.tsx'

vi.mock('@payloadcms/ui', () => import('../../../../support/payload-ui.tsx'))

const site = ({ method, path }: AskedOf) => {
  if (path.startsWith('/api/cms/users')) return { docs: [{ id: 'owes', username: 'Réka' }] }
  return method === 'GET' ? { items: [{ userId: 'owes', debtFt: 500, moneyFt: 0, since: null }] } : { amountFt: 500 }
}

test('the question whether to give up a debt names who owes, and takes a reason with letters', async () => {
  const { posts } = await showAdmin(<Debts />, site)
  await settled()
  await press('Write off')
  expect(textOf('dialog p')).toContain('Customer: Réka')
  await type('Reason', '1234567890')
  await press('Write off')
  expect(textOf('dialog [role=alert]')).toBe('The reason needs at least 10 letters.')
  expect(posts()).toEqual([])
  await type('Reason', 'He is on good terms now')
  await press('Write off')
  expect(posts().map(({ path, body }) => [path, body])).toEqual([
    ['/api/admin/debts/owes/write-off', { reason: 'He is on good terms now' }],
  ])
})
