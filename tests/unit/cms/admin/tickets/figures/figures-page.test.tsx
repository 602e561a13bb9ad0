// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TicketFigures } from '#contracts/http/desk/ticket-figures.ts'
import { FiguresPage } from '../../../../../../src/cms/admin/tickets/figures/figures-page.tsx'
import { BILLING, COLLEAGUE, TECHNICAL } from '../../../../../factories/staff-ticket.ts'
import { press, queryOf, settled, showAdmin, textOf } from '../../../../../support/admin-screen.tsx'

vi.mock('@payloadcms/ui', () => import('../../../../../support/payload-ui.tsx'))
vi.mock('next/navigation', () => ({ useSearchParams: () => new URLSearchParams(window.location.search) }))

const ofPerson = { answered: 12, solved: 9, solving: null, good: 3, bad: 1 }
const firstReply = { medianMs: 40 * 60_000, ninetyPercentMs: 6 * 3_600_000 }
const known = { ...ofPerson, firstReply, opened: 1_240, unanswered: 2, waiting: 5 }
const figures = TicketFigures.parse({
  all: known,
  days: [
    { day: '2026-11-19', opened: 4, solved: 7 },
    { day: '2026-11-20', opened: 2, solved: 0 },
  ],
  categories: [
    { id: BILLING, name: 'Billing', ...known },
    { id: TECHNICAL, name: '', ...known, good: 0, bad: 0 },
  ],
  staff: [{ id: COLLEAGUE, username: '', ...ofPerson, firstReply: null }],
})
const categories = [{ id: BILLING, name: 'Billing' }]
let isDown: boolean
let answer: Promise<TicketFigures> | TicketFigures
const shown = (isAdmin = true) =>
  showAdmin(<FiguresPage categories={categories} isAdmin={isAdmin} />, () => (isDown ? undefined : answer))
const rows = (place: number) =>
  Array.from(document.querySelectorAll('section')[place]?.querySelectorAll('tbody tr') ?? [], (row) =>
    Array.from(row.querySelectorAll('td'), (cell) => cell.textContent.replaceAll(/\s/gu, ' ')),
  )

beforeEach(() => {
  isDown = false
  answer = figures
})
afterEach(() => window.history.replaceState(null, '', '/'))

test('shows what was counted, times in words, and neither a time of few tickets nor a share without a rating', async () => {
  await shown()
  expect(textOf('.bakter-facts dd')).toBe(
    '5 1,240 12 9 2 75% (3 of 4) Half: 40 minutes at most90%: 6 hours at most Too few tickets',
  )
  expect(textOf('.bakter-graph figcaption')).toContain('Most in one day: 4 opened, 7 solved.')
  expect(rows(0).map((cells) => [cells[0], cells[7]])).toEqual([
    ['Billing', '75% (3 of 4)'],
    ['deleted category', 'None yet'],
  ])
  expect(rows(1)).toEqual([['deleted account', '12', 'Too few tickets', '9', 'Too few tickets', '75% (3 of 4)']])
  expect(textOf('.bakter-graph tbody th, .bakter-graph tbody td')).toContain(
    '20 November 2026 2 0 19 November 2026 4 7',
  )
})

test('has its rows before they are read, and says to support whom they are about', async () => {
  answer = new Promise(() => {})
  await shown(false)
  expect(rows(0)).toEqual([['Billing', ...Array.from({ length: 8 }, () => '–')]])
  expect(textOf('.bakter-figures[aria-busy="true"]')).toContain('You see only your own figures here.')
})

test('asks for the days in its address, and for others when they are chosen', async () => {
  window.history.replaceState(null, '', '/admin/tickets/figures?days=90')
  const { asked } = await shown()
  const select = document.querySelector('select')
  if (!select) throw new Error('there is no choice')
  await act(async () => {
    select.value = '7'
    select.dispatchEvent(new Event('change', { bubbles: true }))
  })
  await settled()
  expect(asked.map(({ path }) => queryOf(path))).toEqual([{ days: '90' }, { days: '7' }])
  expect(window.location.search).toBe('?days=7')
})

test('says that they could not be read, and reads them again', async () => {
  isDown = true
  await shown()
  expect(textOf('[role="alert"]')).toContain("This didn't load.")
  isDown = false
  await press('Try again')
  expect(textOf('.bakter-facts dd')).toContain('1,240')
})
