// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LedgerAccount } from '#contracts/http/staff-money.ts'
import { LedgerEntries } from '../../../../../src/cms/admin/money/ledger-entries.tsx'
import { Ledger } from '../../../../../src/cms/admin/money/ledger.tsx'
import { choose, press, queryOf, showAdmin, textOf, type, wait } from '../../../../support/admin-screen.tsx'

vi.mock('@payloadcms/ui', () => import('../../../../support/payload-ui.tsx'))
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const AT = '2026-06-01T10:00:00.000Z'
const entry = {
  accountId: 'a',
  kind: 'user_wallet',
  ownerId: null,
  provider: '',
  seq: 1,
  transactionId: 't',
  what: 'x',
  amountFt: 5,
  balanceFt: 5,
  reason: 'Top-up by barion',
  refType: 'payment',
  refId: 'doc-1',
  actor: '',
  createdAt: AT,
}

test('a document of the books is asked for when it rests', async () => {
  const { asked } = await showAdmin(<LedgerEntries account={null} />, () => ({ items: [], next: null }))
  for (const text of ['d', 'do', 'doc-1']) {
    await type('Document', text)
    await wait(100)
  }
  await wait(300)
  expect(asked.map(({ path }) => queryOf(path)['reference'] ?? '')).toEqual(['', 'doc-1'])
})

test("an account's name does not stand above the entries of a document in other accounts", async () => {
  const account: LedgerAccount = {
    id: 'a',
    kind: 'revenue',
    ownerId: null,
    provider: '',
    balanceFt: 5,
    heldFt: 0,
    entries: 1,
  }
  const { asked } = await showAdmin(<LedgerEntries account={account} />, () => ({ items: [entry], next: null }))
  expect(textOf('caption')).toBe('Revenue')
  expect(textOf('tbody')).toContain('Payment Top-up by barion')
  await press('Payment')
  await wait(300)
  expect(textOf('caption')).toBe('Ledger postings')
  expect(asked.map(({ path }) => queryOf(path))).toEqual([{ accountId: 'a' }, { reference: 'doc-1' }])
})

test('sums by day end with the day of the house, which begins before that of UTC', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-06-01T22:30:00.000Z') })
  const { asked } = await showAdmin(<Ledger />, ({ path }) =>
    path.includes('audit') ? { checkedAt: null, broken: [] } : { items: [], next: null },
  )
  await choose('days')
  expect(queryOf(asked.at(-1)?.path ?? '')).toEqual({ from: '2026-05-20', to: '2026-06-02' })
})
