// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import type { ServerContext } from '#contracts/http/desk/server-context.ts'
import type { TicketView } from '#contracts/http/ticket.ts'
import { TicketAside } from '../../../../../src/features/support/aside/ticket-aside.tsx'
import { BILLING, CUSTOMER, staffTicket, ticketLine } from '../../../../factories/staff-ticket.ts'
import { shownServer } from '../../../../factories/shown-server.ts'
import { shownPage } from '../../../../support/shown-page.tsx'
import type { ShownPage } from '../../../../support/shown-page.tsx'

let page: ShownPage | undefined
afterEach(() => {
  page?.close()
  page = undefined
  vi.unstubAllGlobals()
})

const server = shownServer({ name: 'Skyblock', status: 'starting' })
const context: ServerContext = {
  serverId: server.id,
  identifier: server.identifier,
  name: 'Skyblock then',
  game: 'Minecraft',
  template: 'Paper',
  version: '1.21',
  status: 'crashed',
  errors: [{ type: 'server:crashed', at: '2026-06-01T09:00:00.000Z', reason: 'The oven is cold' }],
  log: { at: '2026-06-01T09:00:00.000Z', lines: ['from [ip] with [token]', 'Done'], source: 'console', removed: 1 },
  missing: null,
}
const opened = (facts: Partial<TicketView> = {}): TicketView =>
  staffTicket({ standing: 'opener', server: context, ...facts })
const categories = [{ id: BILLING, name: 'Billing', replyTime: { medianMs: 660_000, ninetyPercentMs: 2_880_000 } }]
const show = (view: TicketView, { servers = [server] as object[], others = categories as object[] } = {}) => {
  page = shownPage(<TicketAside view={view} readerId={CUSTOMER} />, {
    'GET /api/user/servers': () => Response.json(servers),
    'GET /api/ticket/categories': () => Response.json(others),
  })
  return page
}
const text = () => document.querySelector('.tk-aside')?.textContent ?? ''
const linkTo = () => document.querySelector('.tk-aside a')?.getAttribute('href')

test('the opener sees their server as it is now, how much they sent, and how soon replies come', async () => {
  const { see } = show(opened({ messages: [ticketLine(1), staffReply()] }))
  await see('.tk-aside', 'within 48 minutes')
  expect(text()).toContain('Starting')
  expect(linkTo()).toBe(`/panel/${server.id}/console`)
  const facts = Array.from(document.querySelectorAll('.tk-kv > div'), (row) =>
    Array.from(row.children, ({ textContent }) => textContent),
  )
  expect(facts).toEqual([
    ['Log', '2 lines'],
    ['Hidden in it', '2 parts'],
    ['You left out', '1 line'],
    ['Latest errors', '1'],
    ['Category', 'Billing'],
    ['Opened', expect.stringContaining('2026')],
    ['First reply here', '5 minutes'],
    ['Usual, last 30 days', '11 minutes'],
    ['9 out of 10', 'within 48 minutes'],
  ])
})

const staffReply = () =>
  ticketLine(2, {
    author: { id: ticketLine(9).author.id, username: 'dora', isStaff: true },
    createdAt: '2026-06-01T10:05:00.000Z',
  })

test('the facts that were sent are read again, as they were then', async () => {
  const { see } = show(opened())
  ;(await see('.tk-aside button', 'Show')).click()
  const dialog = await see('dialog', 'What you sent along')
  expect(dialog.textContent).toContain('Skyblock then')
  expect(dialog.textContent).toContain('Crashed: The oven is cold')
  expect(dialog.querySelector('pre')?.textContent).toBe('from [ip] with [token]\nDone')
})

test('a server that is gone has no state and no way to it', async () => {
  const { see } = show(opened(), { servers: [] })
  await see('.tk-aside', 'You no longer have this server')
  expect(document.querySelector('.tk-aside .lamp')).toBeNull()
  expect(linkTo()).toBeUndefined()
})

test('a machine that does not respond is named, and one that does is not', async () => {
  const { see } = show(opened(), { servers: [{ ...server, status: 'nodeoffline' }] })
  await see('.tk-aside', `The machine ${server.computer.name} isn't responding right now.`)
  page?.close()
  await show(opened()).see('.tk-aside', 'within 48 minutes')
  expect(text()).not.toContain('On its machine')
})

test('the assignee is named, an erased account by words, and nobody where nobody has the ticket', async () => {
  const facts = () => Array.from(document.querySelectorAll('.tk-aside__ticket dt'), ({ textContent }) => textContent)
  const { ticket } = opened()
  await show(opened({ ticket: { ...ticket, admin: { id: BILLING, username: 'dora' } } })).see(
    '.tk-aside__ticket',
    'dora',
  )
  expect(facts()).toEqual(['Assigned to', 'Category', 'Opened'])
  page?.close()
  await show(opened({ ticket: { ...ticket, admin: { id: BILLING, username: '' } } })).see(
    '.tk-aside__ticket',
    'Deleted',
  )
  page?.close()
  await show(opened()).see('.tk-aside__ticket', 'Billing')
  expect(facts()).toEqual(['Category', 'Opened'])
})

test('an added person sees who reads along, and nothing of a server', async () => {
  const { server: _sent, ...shared } = opened({ standing: 'added' })
  const friend = { id: CUSTOMER, username: 'bela' }
  const opener = { id: BILLING, username: 'anna' }
  const { see, calls } = show({ ...shared, ticket: { ...shared.ticket, opener, addedUsers: [friend] } })
  await see('.tk-aside', 'within 48 minutes')
  expect(Array.from(document.querySelectorAll('.tk-readers li'), (one) => one.textContent?.trim())).toEqual([
    'anna',
    'bela you',
  ])
  expect(document.querySelector('.tk-now')).toBeNull()
  expect(calls.map(({ name }) => name)).not.toContain('GET /api/user/servers')
})

test('nothing is said about reply times where too few are known, and staff are not told that they sent something', async () => {
  const { see } = show(opened({ standing: 'staff' }), { others: [{ ...categories[0], replyTime: null }] })
  await see('.tk-aside', '')
  await vi.waitFor(() => expect(page?.calls.map(({ name }) => name)).toContain('GET /api/ticket/categories'))
  expect(text()).toMatch(/^This ticketCategoryBillingOpened.+2026/)
  expect(text()).not.toContain('Server')
  expect(text()).not.toContain('Reply time')
})

test('on a narrow page the facts are folded below a row that says so', async () => {
  const { see } = show(opened())
  const fold = await see('.tk-fold', 'Skyblock')
  const parts = document.getElementById(fold.getAttribute('aria-controls') ?? '')
  expect([fold.getAttribute('aria-expanded'), parts?.dataset['unfolded']]).toEqual(['false', 'false'])
  fold.click()
  await vi.waitFor(() => expect(fold.getAttribute('aria-expanded')).toBe('true'))
  expect(parts?.dataset['unfolded']).toBe('true')
})

const [PICTURE, LOG] = ['019a0000-0000-7000-8000-0000000000aa', '019a0000-0000-7000-8000-0000000000bb']
test('the files of all messages are named with their sizes, and each is saved', async () => {
  const ticket = {
    ...opened().ticket,
    attachments: [
      { id: PICTURE, name: 'shot.png', kind: 'picture' as const, size: 2_048 },
      { id: LOG, name: 'latest.log', kind: 'text' as const, size: 10 },
    ],
  }
  const { see } = show(opened({ ticket }))
  await see('.tk-aside', 'Attached files')
  const links = Array.from(document.querySelectorAll<HTMLAnchorElement>('.att-named a'))
  expect(
    links.map((link) => [link.textContent?.replaceAll('\u00A0', ' '), link.getAttribute('href'), link.download]),
  ).toEqual([
    ['shot.png2 kB', `/api/ticket/${ticket.id}/attachments/${PICTURE}`, 'shot.png'],
    ['latest.log10 B', `/api/ticket/${ticket.id}/attachments/${LOG}`, 'latest.log'],
  ])
  expect(document.querySelector('.tk-aside img')).toBe(null)
})

test('without a file nothing stands in the place of the files', async () => {
  const { see } = show(opened())
  await see('.tk-aside', 'Usual')
  expect(text()).not.toContain('Attached files')
})
