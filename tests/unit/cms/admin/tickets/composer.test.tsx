// @vitest-environment happy-dom
import { act } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { Composer } from '../../../../../src/cms/admin/tickets/composer.tsx'
import { queuedTicket, TICKET_ID, ticketLine } from '../../../../factories/staff-ticket.ts'
import {
  button,
  press,
  refusal,
  settled,
  showAdmin,
  textOf,
  type,
  type SiteAnswer,
} from '../../../../support/admin-screen.tsx'

vi.mock('@payloadcms/ui', () => import('../../../../support/payload-ui.tsx'))

beforeEach(() => {
  window.localStorage.clear()
  window.history.replaceState(null, '', '/admin/ticket/one')
})

const reload = vi.fn<() => Promise<void>>(() => Promise.resolve())
const composer = (facts: Partial<Parameters<typeof Composer>[0]> = {}) => (
  <Composer ticket={queuedTicket()} canReopen={false} reload={reload} {...facts} />
)
const shown = (answer: (at: number) => SiteAnswer = () => ticketLine(1)) => {
  let at = 0
  return showAdmin(composer(), () => answer((at += 1)))
}
const field = () => document.querySelector('textarea')
const [REPLY, NOTE] = ['Reply to the customer', 'Internal note']

test('a reply and a note go to calls of their own, and neither text is ever the other one', async () => {
  const { posts } = await shown()
  await type(REPLY, 'Dear Anna')
  await press(NOTE)
  expect(field()?.value).toBe('')
  expect(document.querySelector('form')?.dataset.mode).toBe('note')
  await type(NOTE, 'Careful with her')
  await press('Save the internal note')
  await press(REPLY)
  expect(field()?.value).toBe('Dear Anna')
  await press('Send the reply')
  expect(posts()).toMatchObject([
    { path: `/api/ticket/${TICKET_ID}/notes`, body: { message: 'Careful with her' } },
    { path: `/api/ticket/${TICKET_ID}/messages`, body: { message: 'Dear Anna' } },
  ])
  expect(field()?.value).toBe('')
})

test.each(['ctrlKey', 'metaKey'])('%s with Enter sends, Enter alone does not', async (held) => {
  const { posts } = await shown()
  await type(REPLY, 'Dear Anna')
  const enter = (more: object) =>
    act(async () => field()?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, ...more })))
  await enter({})
  expect(posts()).toEqual([])
  await enter({ [held]: true })
  await settled()
  expect(posts()).toHaveLength(1)
})

test('after a lost answer the same text is the same attempt, and the text stays', async () => {
  const { posts } = await shown((at) => (at === 1 ? undefined : ticketLine(1)))
  await type(REPLY, 'Dear Anna')
  await press('Send the reply')
  expect([textOf('[role=alert]'), field()?.value]).toEqual([
    expect.stringContaining("We don't know whether this was done."),
    'Dear Anna',
  ])
  await press('Send the reply')
  const [one, two] = posts()
  expect([one?.key, field()?.value]).toEqual([two?.key, ''])
})

test('says why a reply was refused, and asks nothing without a text', async () => {
  const { posts } = await shown(() => refusal(409, 'TICKET_CLOSED'))
  await type(REPLY, '  \n ')
  await press('Send the reply')
  expect([textOf('[role=alert]'), posts()]).toEqual(['Write something first.', []])
  await type(REPLY, 'Dear Anna')
  await press('Send the reply')
  expect([textOf('[role=alert]'), field()?.value]).toEqual(['TICKET_CLOSED in words', 'Dear Anna'])
})

test('typed text is there after the page was left, until it is sent', async () => {
  const first = await shown()
  await type(REPLY, 'Dear Anna')
  await first.show(null)
  await first.show(composer())
  expect(field()?.value).toBe('Dear Anna')
  await press('Send the reply')
  await first.show(null)
  await first.show(composer())
  expect(field()?.value).toBe('')
})

test('a closed ticket takes notes alone, and says whether it can be reopened', async () => {
  const { show } = await showAdmin(composer({ ticket: queuedTicket(1, { status: 'closed' }), canReopen: true }), () =>
    ticketLine(1),
  )
  expect(textOf('form')).toContain('This ticket is closed. Reopen it to reply.')
  expect(field()).toBeNull()
  await show(composer({ ticket: queuedTicket(1, { status: 'closed' }), canReopen: false }))
  expect(textOf('form')).toContain("can't be reopened")
  await press(NOTE)
  expect(button('Save the internal note').disabled).toBe(false)
})

test.each([
  ['', null, false],
  ['#reply', 'TEXTAREA', false],
  ['#saved-reply', undefined, true],
] as const)('an address with %j begins where it says, once', async (hash, focused, isChoosing) => {
  window.history.replaceState(null, '', `/admin/ticket/one?from=queue${hash}`)
  await showAdmin(composer(), ({ path }) => (path.includes('/api/cms/') ? { docs: [] } : ticketLine(1)))
  if (focused !== undefined) expect(document.activeElement?.tagName === 'TEXTAREA' ? 'TEXTAREA' : null).toBe(focused)
  expect(document.querySelector('dialog') !== null).toBe(isChoosing)
  expect([window.location.search, window.location.hash]).toEqual(['?from=queue', ''])
})
