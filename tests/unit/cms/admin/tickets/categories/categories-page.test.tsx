// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest'
import { TicketFigures } from '#contracts/http/desk/ticket-figures.ts'
import { CategoriesPage } from '../../../../../../src/cms/admin/tickets/categories/categories-page.tsx'
import type { ListedCategory } from '../../../../../../src/cms/admin/tickets/categories/listed-categories.ts'
import { BILLING, TECHNICAL } from '../../../../../factories/staff-ticket.ts'
import { press, showAdmin, textOf } from '../../../../../support/admin-screen.tsx'

vi.mock('@payloadcms/ui', () => import('../../../../../support/payload-ui.tsx'))
vi.mock('next/navigation', () => ({ useSearchParams: () => new URLSearchParams() }))

const none = { answered: 0, solved: 0, solving: null, good: 0, bad: 0, opened: 0, unanswered: 0 }
const firstReply = { medianMs: 40 * 60_000, ninetyPercentMs: 6 * 3_600_000 }
const figures = TicketFigures.parse({
  all: { ...none, firstReply, waiting: 1_205 },
  days: [],
  categories: [{ id: BILLING, name: 'Billing', ...none, firstReply, waiting: 1_205 }],
  staff: [],
})
const billing: ListedCategory = {
  id: BILLING,
  name: 'Billing',
  isActive: true,
  isMine: true,
  others: [
    { language: 'hu', name: 'Számlázás' },
    { language: 'de', name: null },
  ],
  roles: ['First line', 'Accounts'],
}
const technical: ListedCategory = {
  ...billing,
  id: TECHNICAL,
  name: 'Technical',
  isActive: false,
  isMine: false,
  roles: [],
}
let isDown: boolean
let answer: TicketFigures | Promise<TicketFigures>

const shown = (categories: readonly ListedCategory[], isAdmin = true) =>
  showAdmin(<CategoriesPage categories={categories} isAdmin={isAdmin} />, () => (isDown ? undefined : answer))
const rows = () =>
  Array.from(document.querySelectorAll('tbody tr'), (row) =>
    Array.from(row.querySelectorAll('td'), (cell) => cell.textContent.replaceAll(/\s+/gu, ' ')),
  )
const links = () => Array.from(document.querySelectorAll('td a, header a'), (link) => link.getAttribute('href'))

beforeEach(() => {
  isDown = false
  answer = figures
})

test('an administrator reads names, state, roles and what waits, and finds forms and tickets behind them', async () => {
  await shown([billing, technical])
  expect(rows()).toEqual([
    [
      'BillingHungarian: SzámlázásGerman: no name',
      'Customers can choose it',
      'First line, Accounts',
      '1,205',
      'Half: 40 minutes at most90%: 6 hours at most',
    ],
    [
      'TechnicalHungarian: SzámlázásGerman: no name',
      'Switched off',
      'None: only administrators see it',
      '0',
      'Too few tickets',
    ],
  ])
  expect(links()).toEqual([
    '/admin/collections/ticket-categories/create',
    `/admin/collections/ticket-categories/${BILLING}`,
    `/admin/tickets?category=${BILLING}`,
    `/admin/collections/ticket-categories/${TECHNICAL}`,
    `/admin/tickets?category=${TECHNICAL}`,
  ])
})

test('a member of support reads which categories are theirs, neither roles nor a button', async () => {
  const [mine, other] = [billing, technical].map(({ roles: _roles, ...rest }) => ({ ...rest, roles: undefined }))
  if (!mine || !other) throw new Error('two categories')
  await shown([mine, other], false)
  expect(rows().map((cells) => cells.slice(2, 4))).toEqual([
    ['You work on it', '1,205'],
    ['Not yours', '–'],
  ])
  expect(links()).not.toContain('/admin/collections/ticket-categories/create')
})

test('the rows stand before the figures are read, and stay when they cannot be', async () => {
  answer = new Promise(() => {})
  await shown([billing])
  expect(rows()[0]?.slice(3)).toEqual(['–', '–'])
})

test('figures that cannot be read say so beside the rows, and are read again', async () => {
  isDown = true
  await shown([billing])
  expect(textOf('[role="alert"]')).toContain("This didn't load.")
  expect(rows()[0]?.[2]).toBe('First line, Accounts')
  isDown = false
  await press('Try again')
  expect(rows()[0]?.[3]).toBe('1,205')
})

test('a host without categories reads what that means for customers', async () => {
  await shown([])
  expect(textOf('.bakter-note')).toBe('There are no categories yet, so customers cannot open tickets.')
})
