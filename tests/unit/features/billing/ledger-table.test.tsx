// @vitest-environment happy-dom
import { NextIntlClientProvider } from 'next-intl'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { StatementEntry } from '#contracts/http/balance.ts'
import { LedgerTable } from '../../../../src/features/billing/ledger-table.tsx'
import hungarian from '../../../../src/messages/hu.json'

const entry = (changes: object) =>
  StatementEntry.parse({
    id: '01890000-0000-7000-8000-000000000001',
    amount: -990,
    type: 'renewal',
    paymentType: 'balance',
    status: 'finished',
    reason: 'Renewal',
    refundedFt: 0,
    createdAt: '2026-06-01T10:00:00.000Z',
    document: { kind: 'renewal', id: '01890000-0000-7000-8000-000000000002' },
    ...changes,
  })
const server = { id: '01890000-0000-7000-8000-000000000003', name: '14 Túlélő', identifier: 'abcdefgh' }

let place: HTMLDivElement
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  place = document.createElement('div')
  document.body.append(place)
})
afterEach(() => {
  place.remove()
  vi.unstubAllGlobals()
})

const shown = async (...rows: StatementEntry[]) => {
  await act(() => {
    createRoot(place).render(
      <NextIntlClientProvider locale="hu" messages={hungarian} timeZone="Europe/Budapest">
        <LedgerTable rows={rows} />
      </NextIntlClientProvider>,
    )
  })
  return Array.from(place.querySelectorAll('tbody tr'), (row) =>
    Array.from(row.querySelectorAll('td'), (cell) => cell.textContent.replaceAll(/\s/gu, ' ').trim()).slice(1, 4),
  )
}

test('a transaction shows its server, its months, its amount and the balance after it', async () => {
  const rows = await shown(
    entry({ server, months: 2, balanceAfterFt: 8430 }),
    entry({ id: '01890000-0000-7000-8000-000000000004', type: 'top-up', amount: 5000, status: 'failed' }),
    entry({
      id: '01890000-0000-7000-8000-000000000005',
      type: 'refund',
      amount: 330,
      server,
      months: 2,
      balanceAfterFt: 9420,
    }),
  )
  expect(rows).toEqual([
    ['14 Túlélő 14TMegújítás, 2 hónap', '−990 Ft', 'Egyenleg: 8 430 Ft'],
    ['FeltöltésSikertelen', '(+5 000 Ft)', '–'],
    ['14 Túlélő 14TVisszatérítés', '+330 Ft', 'Egyenleg: 9 420 Ft'],
  ])
})

test('a control plane of the release before says neither, and the row stands all the same', async () => {
  expect(await shown(entry({}))).toEqual([['Megújítás', '−990 Ft', '–']])
})
