// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LedgerAccount } from '#contracts/internal-api/staff-money.ts'
import { Invoices } from '../../../../../src/cms/admin/money/invoices.tsx'
import { LedgerEntries } from '../../../../../src/cms/admin/money/ledger-entries.tsx'
import { Ledger } from '../../../../../src/cms/admin/money/ledger.tsx'
import { Payments } from '../../../../../src/cms/admin/money/payments.tsx'
import {
  press,
  refusal,
  settled,
  showAdmin,
  textOf,
  type,
  type AskedOf,
  type SiteAnswer,
} from '../../../../support/admin-screen.tsx'

vi.mock('@payloadcms/ui', () => import('../../../../support/payload-ui.tsx'))
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const wait = async (ms: number) => {
  await act(async () => await vi.advanceTimersByTimeAsync(ms))
  await settled()
}
const AT = '2026-06-01T10:00:00.000Z'
const payment = (id: string, refundableFt = 1000) => ({
  ...{ id, userId: 'u', provider: 'stripe', providerPaymentId: `pi_${id}`, kind: 'card', amountFt: 1000 },
  ...{ creditedFt: 1000, refundedFt: 1000 - refundableFt, refundableFt, standing: 'settled', problem: null },
  ...{ failureCode: null, checks: 0, createdAt: AT, settledAt: AT, refunds: [] },
})
const entry = {
  ...{ accountId: 'a', kind: 'user_wallet', ownerId: null, provider: '', seq: 1, transactionId: 't', what: 'x' },
  ...{ amountFt: 5, balanceFt: 5, reason: 'Top-up', refType: 'payment', refId: 'doc-1', actor: '', createdAt: AT },
}
const nameless = ({ path }: AskedOf): SiteAnswer => (path.startsWith('/api/cms') ? { docs: [] } : undefined)
const queryOf = (path: string) => Object.fromEntries(new URL(path, 'http://x').searchParams)
const rows = () => document.querySelectorAll('tbody tr').length

/** Payments in pages of one. `lost` are pages that cannot be read, `hidden` what the filter leaves out. */
function paymentSite(ids: readonly string[]) {
  const state = { refundableFt: 1000, lost: new Set<string>(), hidden: new Set<string>() }
  const answer = (asked: AskedOf): SiteAnswer => {
    const known = nameless(asked)
    if (known !== undefined) return known
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
  expect([rows(), textOf('[role=alert]')]).toEqual([2, expect.stringContaining('This cannot be read now.')])
  state.lost.clear()
  await press('Try again')
  expect(rows()).toBe(3)
  expect(asked.map(({ path }) => queryOf(path)['before'] ?? '').filter((before) => before === 'p2')).toHaveLength(2)
})

test('a first page that fails shows no rows of another question', async () => {
  const { state, answer } = paymentSite(['p1'])
  await showAdmin(<Payments />, answer)
  state.lost.add('')
  const select = document.querySelector('select')
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')?.set?.call(select, 'disputed')
    select?.dispatchEvent(new Event('change', { bubbles: true }))
  })
  await settled()
  expect([rows(), textOf('[role=alert]')]).toEqual([0, expect.stringContaining('This cannot be read now.')])
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
  await press('Send back to the source')
  await type('Amount in forints', '400')
  await type('Reason', 'Two days of outage')
  await press('Send back Ft 400')
  await settled()
  expect(textOf('dl')).toContain('pi_p2')
  expect(textOf('dl')).toContain('Could be sent backFt 600')
  await press('Back to the list')
  expect(rows()).toBe(isHidden ? 1 : 2)
})

test('a number is asked for when it rests, and not letter by letter', async () => {
  const { asked } = await showAdmin(<Invoices />, () => ({ items: [], next: null }))
  for (const text of ['S', 'SZ', 'SZ-1']) {
    await type('Number', text)
    await wait(100)
  }
  await wait(300)
  expect(asked.map(({ path }) => queryOf(path)['number'] ?? '')).toEqual(['', 'SZ-1'])
})

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
    ...{ id: 'a', kind: 'revenue', ownerId: null, provider: '', balanceFt: 5, heldFt: 0, entries: 1 },
  }
  const { asked } = await showAdmin(<LedgerEntries account={account} />, () => ({ items: [entry], next: null }))
  expect(textOf('caption')).toBe('Revenue')
  await press('Top-up')
  await wait(300)
  expect(textOf('caption')).toBe('Entries of the books')
  expect(asked.map(({ path }) => queryOf(path))).toEqual([{ accountId: 'a' }, { reference: 'doc-1' }])
})

test('sums by day end with the day of the house, which begins before that of UTC', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-06-01T22:30:00.000Z') })
  const { asked } = await showAdmin(<Ledger />, ({ path }) =>
    path.includes('audit') ? { checkedAt: null, broken: [] } : { items: [], next: null },
  )
  const select = document.querySelector('select')
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')?.set?.call(select, 'days')
    select?.dispatchEvent(new Event('change', { bubbles: true }))
  })
  await settled()
  expect(queryOf(asked.at(-1)?.path ?? '')).toEqual({ from: '2026-05-20', to: '2026-06-02' })
})

test.each<[string, SiteAnswer, string]>([
  ['is refused', refusal(429, 'TOO_MANY_REQUESTS', 'Wait a little.'), 'Wait a little.'],
  ['has no answer', undefined, 'This cannot be read now. Nothing has changed.'],
])('a PDF that %s leaves the page and says so', async (_, answer, said) => {
  const document_ = {
    ...{ id: 'd', userId: 'u', number: 'SZ-1', kind: 'invoice', form: 'electronic', status: 'paid', totalFt: 127 },
    ...{ netFt: 100, vatFt: 27, what: 'x', reason: null, createdAt: AT, takenBackBy: [] },
  }
  let pdf: SiteAnswer = answer
  const { asked } = await showAdmin(<Invoices />, (each) => {
    if (each.path.endsWith('/pdf')) return pdf
    return nameless(each) ?? { items: [document_], next: null }
  })
  expect(document.querySelector('a[href*=pdf]')).toBeNull()
  await press('SZ-1, download the PDF')
  expect(textOf('tbody [role=alert]')).toBe(said)
  const saved: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  pdf = new Response('%PDF')
  await press('SZ-1, download the PDF')
  expect([saved, textOf('tbody [role=alert]')]).toEqual([['SZ-1.pdf'], ''])
  expect(asked.filter(({ path }) => path === '/api/admin/invoices/d/pdf')).toHaveLength(2)
})
