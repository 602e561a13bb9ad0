// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TicketCustomer } from '#contracts/http/desk/ticket-customer.ts'
import type { QueuedTicket, TicketView } from '#contracts/http/ticket.ts'
import { TicketPage } from '../../../../../src/cms/admin/tickets/ticket-page.tsx'
import {
  BILLING,
  COLLEAGUE,
  CUSTOMER,
  identifierOf,
  queuedTicket,
  staffTicket,
  TECHNICAL,
  TICKET_ID,
  ticketLine,
} from '../../../../factories/staff-ticket.ts'
import {
  button,
  choose,
  press,
  queryOf,
  refusal,
  settled,
  showAdmin,
  textOf,
  type,
  wait,
  type AskedOf,
  type SiteAnswer,
} from '../../../../support/admin-screen.tsx'
import { link } from '../../../../support/heard-link.ts'
import { reader, toast } from '../../../../support/payload-ui.tsx'

vi.mock('@payloadcms/ui', () => import('../../../../support/payload-ui.tsx'))
const push = vi.hoisted(() => vi.fn<(path: string) => void>())
vi.mock('@/lib/realtime/open-link.ts', () => import('../../../../support/heard-link.ts'))
vi.mock('next/navigation.js', () => ({ useRouter: () => ({ push }) }))

const POLL_MS = 5_000
const categories = [
  { id: BILLING, name: 'Billing', active: true, isMine: true },
  { id: TECHNICAL, name: 'Technical', active: true, isMine: false },
]
const account = {
  username: 'anna',
  identifier: 'abcd2345',
  maskedContact: 'a•••@example.com',
  language: 'hu',
  verified: true,
}

const SERVER_AT = '2026-06-01T09:00:00.000Z'
const facts: TicketCustomer = {
  language: 'hu',
  category: 'Számlázás',
  balance: { availableFt: 4_010, heldFt: 0, debtFt: 0 },
  servers: [
    {
      id: COLLEAGUE,
      identifier: 'acdefghj',
      name: 'Skyblock',
      status: 'crashed',
      expiry: '2036-06-01T09:00:00.000Z',
      troubles: [{ type: 'server:crashed', at: SERVER_AT, reason: 'The server is out of memory' }],
    },
  ],
  hasMoreServers: false,
  hadTestServer: true,
}
let customer: TicketCustomer
let others: readonly QueuedTicket[]
let view: TicketView
let acts: (asked: AskedOf) => SiteAnswer
const site = (asked: AskedOf): SiteAnswer => {
  if (asked.path.startsWith('/api/cms/users')) return { docs: [account] }
  if (asked.path.endsWith('/customer')) return customer
  if (asked.path === '/api/services') return []
  if (asked.path.endsWith('/colleagues')) return [{ id: COLLEAGUE, username: 'dora' }]
  if (asked.path.startsWith('/api/ticket/queue')) return others
  if (asked.method !== 'GET' && !asked.path.endsWith('/read')) return acts(asked)
  return asked.method === 'GET' ? view : {}
}
const shown = (facts: { isAdmin?: boolean; at?: (asked: AskedOf) => SiteAnswer } = {}) =>
  showAdmin(<TicketPage id={TICKET_ID} categories={categories} isAdmin={facts.isAdmin ?? false} />, facts.at ?? site)
const names = () =>
  Array.from(document.querySelectorAll('[aria-label="Actions"] button'), ({ textContent }) => textContent)

const ME = '01890000-0000-7000-8000-000000000905'
beforeEach(() => {
  reader.id = ME
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'Date'] })
  view = staffTicket()
  customer = facts
  others = []
  acts = () => ({})
  push.mockClear()
  toast.success.mockClear()
  toast.error.mockClear()
})
afterEach(() => void vi.useRealTimers())

test('a ticket of another category is one that does not exist', async () => {
  const { asked } = await shown({ at: () => refusal(404, 'NOT_FOUND') })
  expect(textOf('h1')).toBe('This ticket does not exist')
  const before = asked.length
  await wait(3 * POLL_MS)
  expect(asked).toHaveLength(before)
})

test('a ticket is left without an error where a browser answers a scroll with a promise', async () => {
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView').mockReturnValue(Promise.resolve() as never)
  const { show } = await shown()
  expect(scroll).toHaveBeenCalledOnce()
  await show(null)
  expect(document.querySelector('h1')).toBeNull()
})

test('a ticket that its reader opened is shown to them as its customer, without notes and acts', async () => {
  view = staffTicket({ standing: 'opener' })
  await shown()
  expect(textOf('h1')).toBe('You are the customer of this ticket')
  expect(document.querySelector('form')).toBeNull()
})

test('a note is labelled, a reply is not, and markdown is drawn: HTML is text, addresses are links that give nothing away', async () => {
  const isStaff = { id: COLLEAGUE, username: 'dora', isStaff: true }
  view = staffTicket({
    messages: [
      ticketLine(1, { message: '<img src=x onerror=alert(1)>\n**bold** https://example.com' }),
      ticketLine(2, { kind: 'note', author: isStaff }),
      ticketLine(3, { author: isStaff }),
      ticketLine(4, { kind: 'event', message: '', author: isStaff, event: { type: 'assigned', about: null } }),
    ],
  })
  await shown()
  const lines = Array.from(document.querySelectorAll('.bakter-conversation li'), ({ textContent }) => textContent)
  expect(lines.map((line) => line.includes('the customer never sees it'))).toEqual([false, true, false, false])
  expect(document.querySelector('.msg-text')?.textContent).toBe(
    '<img src=x onerror=alert(1)>\nbold https://example.com',
  )
  expect(textOf('.msg-text strong')).toBe('bold')
  expect(document.querySelector('.msg-text img')).toBeNull()
  expect(document.querySelector('.msg-text a')?.outerHTML).toMatch(/^<a [^>]*rel="nofollow noopener noreferrer"/)
  expect(lines[3]).toContain('dora unassigned the ticket')
})

test('the quotation of a mail is folded under its message, as text', async () => {
  const quoted = '> Please restart it\n<b>Anna</b>'
  view = staffTicket({ messages: [ticketLine(1, { quoted }), ticketLine(2)] })
  await shown()
  const folded = Array.from(document.querySelectorAll('details'))
  expect(
    folded.map((part) => [part.open, part.querySelector('summary')?.textContent, part.querySelector('p')?.textContent]),
  ).toEqual([[false, 'Quoted text and signature', quoted]])
})

test('loads earlier messages before those that are shown, and keeps them when it reads again', async () => {
  const site2 = (asked: AskedOf) => {
    if (asked.path.split('?')[0] !== `/api/ticket/${TICKET_ID}` || asked.method !== 'GET') return site(asked)
    const { before } = queryOf(asked.path)
    if (before === undefined) return staffTicket({ messages: [ticketLine(2)], hasEarlier: true })
    return staffTicket({ messages: before === ticketLine(2).id ? [ticketLine(1)] : [] })
  }
  await shown({ at: site2 })
  expect(textOf('.msg-text')).toBe('Line 2')
  await press('Load earlier messages')
  await wait(POLL_MS)
  expect(textOf('.msg-text')).toBe('Line 1 Line 2')
})

test('a ticket on the screen is noted as read, once', async () => {
  const { posts } = await shown()
  await wait(2 * POLL_MS)
  expect(posts()).toMatchObject([{ path: `/api/ticket/${TICKET_ID}/read`, body: { upTo: ticketLine(1).id } }])
  view = staffTicket({ messages: [ticketLine(1), ticketLine(2)] })
  await wait(POLL_MS)
  expect(posts().at(-1)).toMatchObject({ body: { upTo: ticketLine(2).id } })
})

test('offers what the ticket and its reader allow', async () => {
  await shown()
  expect(names()).toEqual(['Take', 'Assign…', 'Move…', 'Merge…', 'Close…'])
  view = staffTicket({}, { admin: { id: ME, username: 'me' } })
  view = { ...view, ticket: { ...view.ticket, status: 'closed' }, canReopen: true }
  await wait(POLL_MS)
  expect(names()).toEqual(['Unassign', 'Assign…', 'Move…', 'Merge…', 'Reopen…'])
  view = { ...view, canReopen: false }
  await wait(POLL_MS)
  expect(names()).toEqual(['Unassign', 'Assign…', 'Move…', 'Merge…'])
})

test('a ticket of a colleague is taken over after a question', async () => {
  view = staffTicket({}, { admin: { id: COLLEAGUE, username: 'dora' } })
  const { asked } = await shown()
  await press('Take over…')
  expect(textOf('dialog')).toContain('It is assigned to dora.')
  await press('Take over')
  expect(asked.find(({ method }) => method === 'PUT')).toMatchObject({
    body: { userId: ME, seen: COLLEAGUE },
  })
})

test.each([
  ['Close…', 'Close ticket', 'TICKET_CLOSED', { canReopen: false }],
  ['Reopen…', 'Reopen ticket', 'TICKET_NOT_CLOSED', { canReopen: true }],
])('%s counts as done when a lost attempt or a colleague did it before', async (open, confirm, code, facts) => {
  view = staffTicket(facts, facts.canReopen ? { status: 'closed' } : {})
  acts = () => refusal(409, code)
  await shown()
  await press(open)
  await press(confirm)
  expect(document.querySelector('dialog')).toBeNull()
  expect(toast.success).toHaveBeenCalledOnce()
})

test('a move says before when its mover then sees the ticket no more, and leads back to the queue', async () => {
  const { asked } = await shown()
  await press('Move…')
  expect(textOf('dialog')).toContain("You don't work on tickets in Technical.")
  await press('Move')
  expect(asked.find(({ method }) => method === 'PUT')).toMatchObject({ body: { categoryId: TECHNICAL } })
  expect(push).toHaveBeenCalledExactlyOnceWith('/admin/tickets')
})

test('a refused move stays in its dialog with the reason', async () => {
  acts = () => refusal(422, 'VALIDATION')
  await shown()
  await press('Move…')
  await press('Move')
  expect([textOf('dialog [role=alert]'), push.mock.calls]).toEqual(['VALIDATION in words', []])
})

test('is deleted by administrators once they typed its identifier', async () => {
  const { asked } = await shown({ isAdmin: true })
  const deletions = () => asked.filter(({ method }) => method === 'DELETE')
  await press('Delete…')
  await type(`Type ${identifierOf(1)} to confirm`, identifierOf(2))
  await press('Delete for good')
  expect([textOf('dialog [role=alert]'), deletions()]).toEqual([`Type the ticket ID ${identifierOf(1)}.`, []])
  await type(`Type ${identifierOf(1)} to confirm`, ` #${identifierOf(1).toUpperCase()} `)
  await press('Delete for good')
  expect(deletions()).toMatchObject([{ path: `/api/ticket/${TICKET_ID}` }])
  expect(push).toHaveBeenCalledExactlyOnceWith('/admin/tickets')
})

test('support does not delete, and asks no call of administrators', async () => {
  const { asked } = await shown()
  expect(names()).not.toEqual(expect.arrayContaining(['Delete…']))
  expect(asked.filter(({ path }) => path.startsWith('/api/admin/'))).toEqual([])
  expect(textOf('aside')).toContain('a•••@example.com')
})

test('it is given to a colleague who works there, and why that is refused is said', async () => {
  acts = () => refusal(422, 'VALIDATION')
  view = staffTicket({}, { admin: { id: ME, username: 'me' } })
  const { asked } = await shown()
  await press('Assign…')
  await choose(COLLEAGUE)
  await press('Assign')
  expect(asked.find(({ method }) => method === 'PUT')).toMatchObject({ body: { userId: COLLEAGUE, seen: ME } })
  expect(textOf('dialog [role=alert]')).toContain("doesn't work on tickets in Billing")
})

test('a colleague who takes a ticket while the dialog is open was not seen there', async () => {
  const { asked } = await shown()
  await press('Assign…')
  view = staffTicket({}, { admin: { id: COLLEAGUE, username: 'dora' } })
  await wait(POLL_MS)
  await press('Assign')
  expect(asked.find(({ method }) => method === 'PUT')).toMatchObject({ body: { userId: null, seen: null } })
})

test('a reader who takes a ticket a moment too late reads who has it, and the ticket is read again', async () => {
  acts = () => {
    view = staffTicket({}, { admin: { id: COLLEAGUE, username: 'dora' } })
    return refusal(409, 'TICKET_TAKEN', 'dora is already working on this ticket.')
  }
  const { asked } = await shown()
  await press('Take')
  expect(asked.find(({ method }) => method === 'PUT')).toMatchObject({ body: { userId: ME, seen: null } })
  expect([toast.success.mock.calls, toast.error.mock.calls]).toEqual([
    [],
    [['dora is already working on this ticket.']],
  ])
  expect(names()).toContain('Take over…')
})

test('shows the balance, the servers and their latest errors, and keeps them when they cannot be read again', async () => {
  let isDown = false
  await shown({ at: (asked) => (isDown && asked.path.endsWith('/customer') ? undefined : site(asked)) })
  expect(textOf('aside')).toMatch(/Balance 4,010 Ft|Balance HUF 4,010|Balance.*4,010/)
  expect(textOf(`li[id="server-${COLLEAGUE}"] b`)).toBe('Crashed')
  expect(textOf('[aria-label="Latest errors of Skyblock"]')).toMatch(/^Crashed: The server is out of memory/)
  expect(textOf('aside')).not.toContain('Owed')
  isDown = true
  customer = { ...facts, balance: { availableFt: 0, heldFt: 990, debtFt: 500 } }
  await wait(30_000)
  expect(textOf('aside')).toContain('4,010')
  isDown = false
  await wait(30_000)
  expect(textOf('aside')).toMatch(/Reserved.*990.*Owed.*500/)
})

test('lists the other tickets of the customer, and leads to all of them', async () => {
  others = [1, 2, 3].map((at) => queuedTicket(at))
  const { asked, show } = await shown()
  expect(queryOf(asked.find(({ path }) => path.startsWith('/api/ticket/queue'))?.path ?? '')).toEqual({
    openerId: CUSTOMER,
    limit: '7',
  })
  const links = () => Array.from(document.querySelectorAll('[aria-label^="Other tickets"] a'), (a) => a.textContent)
  expect(links()).toEqual(['Question 2', 'Question 3'])
  await show(null)
  others = [1, 2, 3, 4, 5, 6, 7].map((at) => queuedTicket(at))
  await show(<TicketPage id={TICKET_ID} categories={categories} isAdmin={false} />)
  await settled()
  expect(links()).toEqual([...[2, 3, 4, 5, 6].map((at) => `Question ${at}`), 'Show all in the queue'])
  expect(document.querySelector('[aria-label^="Other tickets"] > a')?.getAttribute('href')).toBe(
    `/admin/tickets?state=all&opener=${CUSTOMER}`,
  )
})

test('a merged ticket leads to the one that took it, and takes nothing itself; a line from it says so', async () => {
  const mergedInto = { id: COLLEAGUE, identifier: identifierOf(2) }
  view = staffTicket({ messages: [ticketLine(1, { origin: identifierOf(3) })] }, { status: 'closed', mergedInto })
  await shown()
  expect(document.querySelector('.bakter-merged a')?.getAttribute('href')).toBe(`/admin/ticket/${COLLEAGUE}`)
  expect(document.querySelector('form')).toBeNull()
  expect(names()).not.toContain('Move…')
  expect(textOf('article')).toContain(`From #${identifierOf(3)}`)
})

test('people are added by name, and removed after a question', async () => {
  view = staffTicket({}, { addedUsers: [{ id: COLLEAGUE, username: 'bela' }] })
  const found = (asked: AskedOf) =>
    asked.path.includes('like') ? { docs: [{ id: CUSTOMER, username: 'cili' }] } : site(asked)
  const { asked } = await shown({ at: found })
  await press('Remove bela')
  await press('Remove')
  expect(asked.find(({ method }) => method === 'DELETE')?.path).toBe(`/api/ticket/${TICKET_ID}/people/${COLLEAGUE}`)
  await press('Add a person…')
  await press('Add')
  expect(textOf('dialog [role=alert]')).toBe('Choose a person first.')
  await type('Find the customer', 'cili')
  await wait(400)
  const search = asked.find(({ path }) => path.includes('like'))?.path ?? ''
  expect([search.includes('username'), search.includes('email')]).toEqual([true, false])
  await press('cili')
  await press('Add')
  expect(asked.findLast(({ path }) => path.endsWith('/people'))).toMatchObject({ body: { userId: CUSTOMER } })
  expect(button('Add a person…').disabled).toBe(false)
})

test('the facts that the customer sent along about their server are folded, with its log as text', async () => {
  view = staffTicket({
    server: {
      serverId: COLLEAGUE ?? '',
      identifier: 'acdefghj',
      name: 'Skyblock',
      game: 'Minecraft',
      template: 'Paper',
      version: '1.21',
      status: 'crashed',
      errors: [{ type: 'server:crashed', at: SERVER_AT, reason: 'The server is out of memory' }],
      log: { at: SERVER_AT, lines: ['<b>from</b> [ip]'] },
    },
  })
  await shown()
  const sent = document.querySelector<HTMLDetailsElement>('.bakter-sent-server')
  expect(sent?.open).toBe(false)
  expect(sent?.textContent).toContain('Minecraft · Paper · 1.21')
  expect(sent?.textContent).toContain('Crashed: The server is out of memory')
  expect(sent?.querySelector('pre')?.textContent).toBe('<b>from</b> [ip]')
  expect(sent?.textContent).toContain('Last lines before the crash of')
})

test('a change of the ticket is read when the link tells of it, and of no other ticket', async () => {
  const { asked } = await shown()
  const reads = () => asked.filter(({ method, path }) => method === 'GET' && path === `/api/ticket/${TICKET_ID}`).length
  const before = reads()
  link.hear({ event: 'ticket.update', data: { id: COLLEAGUE } })
  await settled()
  expect(reads()).toBe(before)
  link.hear({ event: 'ticket.update', data: { id: TICKET_ID } })
  await settled()
  expect(reads()).toBe(before + 1)
})
