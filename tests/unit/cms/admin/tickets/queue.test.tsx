// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { QueuedTicket } from '#contracts/http/ticket.ts'
import { Queue } from '../../../../../src/cms/admin/tickets/queue.tsx'
import { BILLING, COLLEAGUE, identifierOf, queuedTicket, TECHNICAL } from '../../../../factories/staff-ticket.ts'
import {
  button,
  press,
  queryOf,
  refusal,
  settled,
  showAdmin,
  textOf,
  type,
  wait,
} from '../../../../support/admin-screen.tsx'
import { link } from '../../../../support/heard-link.ts'
import { reader } from '../../../../support/payload-ui.tsx'

vi.mock('@payloadcms/ui', () => import('../../../../support/payload-ui.tsx'))
vi.mock('@/lib/realtime/open-link.ts', () => import('../../../../support/heard-link.ts'))
const push = vi.hoisted(() => vi.fn<(path: string) => void>())
vi.mock('next/navigation', () => ({
  useSearchParams: () => new URLSearchParams(window.location.search),
  useRouter: () => ({ push }),
}))

const POLL_MS = 15_000
const categories = [
  { id: BILLING, name: 'Billing', active: true, isMine: true },
  { id: TECHNICAL, name: 'Technical', active: true, isMine: true },
]
let tickets: readonly QueuedTicket[]
let isDown: boolean
const site = ({ method }: { method: string }) => {
  if (isDown) return undefined
  return method === 'GET' ? tickets : {}
}
const shown = () => showAdmin(<Queue categories={categories} />, site)
const links = () => Array.from(document.querySelectorAll<HTMLElement>('[data-ticket]'))
const focused = () => document.activeElement?.textContent
const key = async (name: string) => {
  await act(async () =>
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true })),
  )
  await settled()
}

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'Date'],
    now: Date.parse('2026-06-01T13:00:00Z'),
  })
  tickets = [1, 2, 3].map((at) => queuedTicket(at))
  isDown = false
  push.mockClear()
})
afterEach(() => {
  vi.useRealTimers()
  window.history.replaceState(null, '', '/')
})

test('shows how long each customer waits, as of the last read', async () => {
  await shown()
  expect(textOf('.bakter-queue-facts').match(/Waiting 3 hours/g)).toHaveLength(3)
  expect(textOf('.bakter-queue-head .bakter-quiet')).toMatch(/^As of \d\d:\d\d:\d\d$/)
})

test('shows one customer alone when its address says so, until that is undone', async () => {
  window.history.replaceState(null, '', `/admin/tickets?state=all&opener=${COLLEAGUE}`)
  const { asked } = await shown()
  expect(queryOf(asked[0]?.path ?? '')).toEqual({ openerId: COLLEAGUE, limit: '50' })
  expect(textOf('.bakter-said')).toContain('Tickets of one customer: anna')
  await press('Show those of everyone')
  expect(queryOf(asked.at(-1)?.path ?? '')).toEqual({ limit: '50' })
  window.history.replaceState(null, '', '/admin/tickets?opener=nobody')
  const other = await shown()
  expect(queryOf(other.asked[0]?.path ?? '')).toEqual({ status: 'open', limit: '50' })
})

test('is asked for open tickets first, and for what the filters in its address say', async () => {
  window.history.replaceState(null, '', `/admin/tickets?state=all&assignee=nobody&category=${TECHNICAL}`)
  const { asked } = await shown()
  expect(queryOf(asked[0]?.path ?? '')).toEqual({ categoryId: TECHNICAL, assignee: 'nobody', limit: '50' })
  window.history.replaceState(null, '', '/admin/tickets?category=01890000-0000-7000-8000-00000000dead')
  const other = await shown()
  expect(queryOf(other.asked[0]?.path ?? '')).toEqual({ status: 'open', limit: '50' })
})

test('keys move the focus, and reading again keeps it on its ticket', async () => {
  await shown()
  expect(focused()).toBe('Question 1')
  await key('j')
  await key('ArrowDown')
  await key('k')
  expect(focused()).toBe('Question 2')
  tickets = [3, 4, 2, 1].map((at) => queuedTicket(at))
  await wait(POLL_MS)
  expect(links().map(({ textContent }) => textContent)).toEqual([
    'Question 3',
    'Question 4',
    'Question 2',
    'Question 1',
  ])
  expect(focused()).toBe('Question 2')
  expect(links().map(({ tabIndex }) => tabIndex)).toEqual([-1, -1, 0, -1])
})

test('the focus goes to the row at the place of a ticket that left', async () => {
  await shown()
  await act(async () => links()[1]?.focus())
  tickets = [1, 3].map((at) => queuedTicket(at))
  await wait(POLL_MS)
  expect(focused()).toBe('Question 3')
})

test('a takes the ticket for the reader, and not one that a colleague has', async () => {
  tickets = [queuedTicket(1), queuedTicket(2, { admin: { id: COLLEAGUE, username: 'dora' } })]
  const { asked } = await shown()
  const puts = () => asked.filter(({ method }) => method === 'PUT')
  await act(async () => links()[1]?.focus())
  await key('a')
  expect([textOf('.bakter-said'), puts()]).toEqual([
    `Ticket #${identifierOf(2)} is assigned to dora. Open it to take it over.`,
    [],
  ])
  await key('k')
  await key('a')
  expect(puts()).toMatchObject([{ path: `/api/ticket/${tickets[0]?.id}/assignee`, body: { userId: reader.id } }])
  expect(textOf('.bakter-said')).toBe(`You took ticket #${identifierOf(1)}.`)
})

test('a closed ticket and a merged one are taken by nobody, neither by a button nor by a key', async () => {
  const mergedInto = { id: queuedTicket(9).id, identifier: identifierOf(9) }
  tickets = [queuedTicket(1), queuedTicket(2, { status: 'closed' }), queuedTicket(3, { status: 'closed', mergedInto })]
  const { asked } = await shown()
  await act(async () => links()[0]?.focus())
  const buttons = () => Array.from(document.querySelectorAll('.bakter-queue button'), (each) => each.textContent)
  expect(buttons()).toEqual(['Take'])
  for (const step of [1, 2]) {
    await key('j')
    await key('a')
    expect([step, asked.filter(({ method }) => method === 'PUT')]).toEqual([step, []])
  }
})

test('e asks before it closes the ticket, and reopens a closed one; a merged one stays', async () => {
  const mergedInto = { id: queuedTicket(9).id, identifier: identifierOf(9) }
  tickets = [queuedTicket(1), queuedTicket(2, { status: 'closed' }), queuedTicket(3, { status: 'closed', mergedInto })]
  const { asked } = await shown()
  const posts = () => asked.flatMap(({ method, path }) => (method === 'POST' ? [path] : []))
  await act(async () => links()[0]?.focus())
  await key('e')
  expect([textOf('dialog h2'), posts()]).toEqual(['Close this ticket?', []])
  await press('Close ticket')
  expect(posts()).toEqual([`/api/ticket/${tickets[0]?.id}/close`])
  await act(async () => links()[1]?.focus())
  await key('e')
  await press('Reopen ticket')
  expect(posts().slice(1)).toEqual([`/api/ticket/${tickets[1]?.id}/reopen`])
  await act(async () => links()[2]?.focus())
  await key('e')
  expect([document.querySelector('dialog'), posts().length]).toEqual([null, 2])
})

test('r opens the ticket where its reply is written, and m with the choice of a saved reply', async () => {
  await shown()
  await act(async () => links()[0]?.focus())
  await key('r')
  await key('j')
  await key('m')
  const path = (at: number) => `/admin/ticket/${tickets[at]?.id}`
  expect(push.mock.calls).toEqual([[`${path(0)}#reply`], [`${path(1)}#saved-reply`]])
})

test.each(['a', 'e', 'r', 'm', 'j', '?'])('%s does nothing in the search, nor on a button of a row', async (name) => {
  const { asked } = await shown()
  const before = asked.length
  for (const place of ['[type=search]', '.bakter-queue-row button']) {
    const field = document.querySelector<HTMLElement>(place)
    await act(async () => field?.focus())
    await key(name)
    expect(document.activeElement).toBe(field)
    expect([document.querySelector('dialog'), push.mock.calls, asked.length]).toEqual([null, [], before])
  }
})

test('a refused take says why', async () => {
  await showAdmin(<Queue categories={categories} />, ({ method }) =>
    method === 'GET' ? tickets : refusal(404, 'NOT_FOUND'),
  )
  await press(`Take ticket #${identifierOf(1)}`)
  expect(textOf('.bakter-said')).toBe('NOT_FOUND in words')
})

test('a ticket that changes is read again at once, and many that change are one read', async () => {
  const { asked } = await shown()
  const before = asked.length
  tickets = [2].map((at) => queuedTicket(at))
  for (let at = 0; at < 20; at += 1) act(() => link.hear({ event: 'ticket.update', data: { id: `ticket ${at}` } }))
  act(() => link.hear({ event: 'server.state.change', data: {} }))
  await wait(1_000)
  expect(links().map(({ textContent }) => textContent)).toEqual(['Question 2'])
  expect(asked).toHaveLength(before + 1)
})

test('typed words are looked for once typing pauses and are kept in the address, and rows stay meanwhile', async () => {
  const { asked } = await shown()
  const before = asked.length
  await type('Words or ticket number', 'no')
  await type('Words or ticket number', ' not there ')
  expect(links()).toHaveLength(3)
  tickets = []
  await wait(300)
  expect(asked.slice(before).map(({ path }) => queryOf(path))).toEqual([
    { status: 'open', text: 'not there', limit: '50' },
  ])
  expect(new URLSearchParams(window.location.search).get('text')).toBe(' not there ')
  expect(textOf('.bakter-note p')).toBe('No tickets match these filters.')
})

test('/ goes to the search', async () => {
  await shown()
  await key('/')
  expect(document.activeElement?.getAttribute('type')).toBe('search')
})

test('? shows the keys', async () => {
  await shown()
  await key('?')
  expect(textOf('dialog kbd')).toContain('J')
})

test('rows stay when a read fails, and the page says since when they are old', async () => {
  await shown()
  isDown = true
  await wait(POLL_MS)
  expect(links()).toHaveLength(3)
  expect(textOf('.bakter-queue-head .bakter-fault')).toMatch(/^Not updated since/)
  isDown = false
  await wait(POLL_MS)
  expect(textOf('.bakter-queue-head .bakter-fault')).toBe('')
})

test('a queue that cannot be read says so, and is read again', async () => {
  isDown = true
  await shown()
  expect(textOf('[role=alert]')).toContain("This didn't load.")
  isDown = false
  await press('Try again')
  expect(links()).toHaveLength(3)
})

test('filters without a ticket are cleared by a button, which an unfiltered queue does not have', async () => {
  tickets = []
  window.history.replaceState(null, '', `/?state=closed&assignee=me&category=${BILLING}&text=lamp`)
  const { asked } = await shown()
  expect(textOf('.bakter-note p')).toBe('No tickets match these filters.')
  button('Clear the filters').focus()
  await press('Clear the filters')
  expect(document.activeElement).toBe(document.querySelector('input[type="search"]'))
  await wait(300)
  expect(window.location.search).toBe('')
  expect(queryOf(asked.at(-1)?.path ?? '')).toEqual({ status: 'open', limit: expect.any(String) })
  expect(textOf('.bakter-note')).toBe('No open tickets here. Every customer has an answer.')
})

test('an empty queue and one without categories differ', async () => {
  tickets = []
  const { show } = await shown()
  expect(textOf('.bakter-note')).toBe('No open tickets here. Every customer has an answer.')
  await show(<Queue categories={[]} />)
  expect(textOf('.bakter-note')).toContain('Your role has no ticket categories')
})

test('a full page offers the next one, which begins after its last ticket, and shows a ticket of both once', async () => {
  tickets = Array.from({ length: 50 }, (_, at) => queuedTicket(at + 1))
  const { asked } = await shown()
  const firstPage = tickets
  await showMore(() => {
    tickets = [queuedTicket(50), queuedTicket(51)]
  })
  expect(queryOf(asked.at(-1)?.path ?? '')).toMatchObject({ before: firstPage[49]?.id })
  expect(links()).toHaveLength(51)
})

async function showMore(before: () => void): Promise<void> {
  before()
  expect(button('Show more').disabled).toBe(false)
  await press('Show more')
}

test.each([
  ['en', 'Closed', `Merged into #${identifierOf(9)}`],
  ['hu', 'Lezárva', `Összevonva ezzel: #${identifierOf(9)}`],
  ['de', 'Geschlossen', `Zusammengeführt mit #${identifierOf(9)}`],
] as const)(
  'says in %s of a merged ticket where it went, in word and shape, and not that it is closed',
  async (language, closed, merged) => {
    reader.language = language
    const mergedInto = { id: queuedTicket(9).id, identifier: identifierOf(9) }
    tickets = [queuedTicket(1, { status: 'closed' }), queuedTicket(2, { status: 'closed', mergedInto })]
    await shown()
    const found = Array.from(document.querySelectorAll('.bakter-state'))
    expect(found.map(({ textContent }) => textContent)).toEqual([closed, merged])
    expect(found[0]?.querySelector('svg')?.innerHTML).not.toBe(found[1]?.querySelector('svg')?.innerHTML)
    reader.language = 'en'
  },
)
