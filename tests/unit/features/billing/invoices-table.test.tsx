// @vitest-environment happy-dom
import { NextIntlClientProvider } from 'next-intl'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Invoice } from '#contracts/http/balance.ts'
import { InvoicesTable } from '../../../../src/features/billing/invoices-table.tsx'
import hungarian from '../../../../src/messages/hu.json'

const invoice = (changes: Partial<Invoice> = {}): Invoice => ({
  id: '01890000-0000-7000-8000-000000000001',
  number: 'SZ-2026-000001',
  kind: 'invoice',
  form: 'electronic',
  status: 'paid',
  totalFt: 1980,
  netFt: 1559,
  vatFt: 421,
  what: 'Minecraft, 2 hónap',
  stornoOf: null,
  stornoBy: null,
  correctionOf: null,
  correctedBy: [],
  createdAt: '2026-06-01T10:00:00.000Z',
  downloadUrl: '/api/balance/invoices/01890000-0000-7000-8000-000000000001/pdf',
  ...changes,
})

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

const show = (
  rows: Invoice[],
  { busyId = null, onDownload = () => {} }: { busyId?: string | null; onDownload?: (row: Invoice) => void } = {},
) =>
  act(() => {
    createRoot(place).render(
      <NextIntlClientProvider locale="hu" messages={hungarian} timeZone="Europe/Budapest">
        <InvoicesTable rows={rows} busyId={busyId} onDownload={onDownload} />
      </NextIntlClientProvider>,
    )
  })
const cells = () =>
  Array.from(place.querySelectorAll('tbody tr'), (row) =>
    Array.from(row.querySelectorAll('td'), (cell) => cell.textContent.replaceAll(/\s/gu, ' ').trim()),
  )

test('each document says what it was for, whether it stands, and what of it is tax', async () => {
  await show([
    invoice({
      id: '2',
      number: 'SZ-2026-000002',
      kind: 'storno',
      totalFt: -1980,
      vatFt: -421,
      stornoOf: 'SZ-2026-000001',
    }),
    invoice({ status: 'storno', stornoBy: 'SZ-2026-000002' }),
    invoice({ id: '3', number: 'NY-2026-000001', form: 'receipt' }),
  ])
  expect(cells().map(([number, , what, state, total]) => [number, what, state, total])).toEqual([
    ['SZ-2026-000002Számla', 'Minecraft, 2 hónap', 'Sztornóezt érvényteleníti: SZ-2026-000001', '−1 980 Ft'],
    [
      'SZ-2026-000001Számla',
      'Minecraft, 2 hónap',
      'Sztornózvaérvénytelenítette: SZ-2026-000002',
      '1 980 Ftebből áfa: 421 Ft',
    ],
    ['NY-2026-000001Nyugta', 'Minecraft, 2 hónap', 'Fizetve', '1 980 Ftebből áfa: 421 Ft'],
  ])
})

test('a correction and its invoice name one another', async () => {
  const back = { id: '2', number: 'SZ-2026-000002', kind: 'correction', totalFt: -300, vatFt: -64 } as const
  await show([
    invoice({ ...back, correctionOf: 'SZ-2026-000001' }),
    invoice({ status: 'corrected', correctedBy: ['SZ-2026-000002', 'SZ-2026-000003'] }),
  ])
  expect(cells().map(([, , , state, total]) => [state, total])).toEqual([
    ['Helyesbítő számlaezt helyesbíti: SZ-2026-000001', '−300 Ft'],
    ['Helyesbítvehelyesbítette: SZ-2026-000002helyesbítette: SZ-2026-000003', '1 980 Ftebből áfa: 421 Ft'],
  ])
})

test('the button of a file names its document, and waits while the file is on its way', async () => {
  const asked: string[] = []
  await show([invoice(), invoice({ id: '2', number: 'SZ-2026-000002' })], {
    busyId: '2',
    onDownload: ({ number }) => asked.push(number),
  })
  const [free, busy] = place.querySelectorAll('button')
  expect(free?.getAttribute('aria-label')).toBe('SZ-2026-000001 letöltése PDF-ben')
  expect([free?.disabled, busy?.disabled, busy?.getAttribute('aria-busy')]).toEqual([false, true, 'true'])
  act(() => free?.click())
  expect(asked).toEqual(['SZ-2026-000001'])
})
