// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TicketsPage } from '../../../../src/features/support/tickets-page.tsx'
import { queuedTicket } from '../../../factories/staff-ticket.ts'
import { shownPage } from '../../../support/shown-page.tsx'
import type { ShownPage } from '../../../support/shown-page.tsx'

vi.mock('next/navigation', () => ({ useSearchParams: () => new URLSearchParams(window.location.search) }))

let page: ShownPage | undefined
beforeEach(() => window.history.replaceState(null, '', '/dashboard/tickets'))
afterEach(() => {
  page?.close()
  page = undefined
  vi.unstubAllGlobals()
})

const asked = () =>
  (page?.calls ?? [])
    .filter(({ name }) => name === 'GET /api/ticket/all')
    .map(({ path }) => Object.fromEntries(new URLSearchParams(path.split('?')[1])))
const show = () => {
  page = shownPage(<TicketsPage />, {
    'GET /api/switches': () => Response.json({ tickets: true }),
    'GET /api/ticket/all': ({ path }) =>
      Response.json(path.includes('weather') ? [] : [1, 2].map((at) => queuedTicket(at))),
  })
  return page
}
const write = (text: string) => {
  const field = document.querySelector<HTMLInputElement>('.page > .tk-filter input')
  if (field !== null) page?.type(field, text)
}

test('words that are typed are looked for once typing pauses, and kept in the address', async () => {
  const { see } = show()
  await see('.tk-list', 'Question 1')
  write('weath')
  write('weather')
  await see('.page', 'No ticket contains these words.')
  expect(asked().map(({ text }) => text)).toEqual([undefined, 'weather'])
  expect(new URLSearchParams(window.location.search).get('text')).toBe('weather')
  ;(await see('button', 'Show all tickets')).click()
  await see('.tk-list', 'Question 2')
  expect(new URLSearchParams(window.location.search).get('text')).toBeNull()
})
