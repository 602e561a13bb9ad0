// @vitest-environment happy-dom
import { act } from 'react'
import type { QueuedTicket } from '#contracts/http/ticket.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MergeDialog } from '../../../../../../src/cms/admin/tickets/merge/merge-dialog.tsx'
import {
  COLLEAGUE,
  identifierOf,
  queuedTicket,
  staffTicket,
  TECHNICAL,
  TICKET_ID,
} from '../../../../../factories/staff-ticket.ts'
import { toast } from '../../../../../support/payload-ui.tsx'
import {
  button,
  press,
  queryOf,
  refusal,
  showAdmin,
  textOf,
  type,
  wait,
  type SiteAnswer,
} from '../../../../../support/admin-screen.tsx'

vi.mock('@payloadcms/ui', () => import('../../../../../support/payload-ui.tsx'))
const push = vi.hoisted(() => vi.fn<(path: string) => void>())
vi.mock('next/navigation.js', () => ({ useRouter: () => ({ push }) }))

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  push.mockReset()
})
afterEach(() => vi.useRealTimers())

const bela = { id: COLLEAGUE, username: 'bela' }
const others = [
  queuedTicket(1),
  queuedTicket(2, { addedUsers: [{ id: TECHNICAL, username: 'dora' }], category: 'Servers', categoryId: TECHNICAL }),
  queuedTicket(3, { mergedInto: { id: TICKET_ID, identifier: identifierOf(1) } }),
]
const opened = (answer: Parameters<typeof showAdmin>[1], view = staffTicket()) =>
  showAdmin(
    <MergeDialog view={view} categories={[]} userId={COLLEAGUE} reload={() => Promise.resolve()} onClose={() => {}} />,
    answer,
  )
const shown = (merge: SiteAnswer) =>
  opened(
    ({ path }) => (path.endsWith('/merge') ? merge : path.startsWith('/api/ticket/queue') ? others : staffTicket()),
    staffTicket({}, { addedUsers: [bela] }),
  )
const choose = () => act(async () => document.querySelector<HTMLInputElement>('dialog input[type=radio]')?.click())

test('offers the other tickets of the customer that are not merged, says who reads both, and leads to the chosen one', async () => {
  const { asked } = await shown({})
  expect(Array.from(document.querySelectorAll('dialog label b'), (each) => each.textContent)).toEqual(['Question 2'])
  await press('Merge tickets')
  expect(textOf('dialog [role=alert]')).toBe('Choose a ticket first.')
  await choose()
  expect(textOf('dialog section')).toContain(
    'only staff of “Servers” see the messages, notes and files of this ticket.',
  )
  expect(textOf('dialog section')).toContain('These people read all messages of both tickets after this: dora, bela.')
  await press('Merge tickets')
  expect(asked.find(({ path }) => path.endsWith('/merge'))).toMatchObject({ body: { intoId: queuedTicket(2).id } })
  expect(push).toHaveBeenCalledWith(`/admin/ticket/${queuedTicket(2).id}`)
})

test('looks for a typed number without its sign', async () => {
  const { asked } = await shown({})
  await type('Number, title or words of the other ticket', ' #abc ')
  await wait(500)
  expect(queryOf(asked.at(-1)?.path ?? '')).toMatchObject({ text: 'abc' })
})

test('every ticket of a customer with many is reached, page by page and by keyboard', async () => {
  const pages = new Map<string | undefined, QueuedTicket[]>([
    [undefined, Array.from({ length: 20 }, (_, at) => queuedTicket(at + 1))],
    [queuedTicket(20).id, [queuedTicket(20), queuedTicket(21), queuedTicket(22)]],
  ])
  await opened(({ path }) => pages.get(queryOf(path)['before']) ?? [])
  const titles = () => Array.from(document.querySelectorAll('dialog label b'), (each) => each.textContent)
  // The ticket itself is none of them.
  expect(titles()).toHaveLength(19)
  button('Show more').focus()
  await press('Show more')
  expect(titles().slice(-2)).toEqual(['Question 21', 'Question 22'])
  expect(titles()).toHaveLength(21)
  expect(document.activeElement?.closest('label')?.textContent).toContain('Question 21')
  expect(textOf('dialog')).not.toContain('Show more')
})

test('a colleague who merges the ticket second is led to the one that took it, and reads why', async () => {
  const taken = { id: queuedTicket(7).id, identifier: identifierOf(7) }
  await opened(({ path }) =>
    path.endsWith('/merge')
      ? refusal(409, 'TICKET_MERGED')
      : path.startsWith('/api/ticket/queue')
        ? others
        : staffTicket({}, { status: 'closed', mergedInto: taken }),
  )
  await choose()
  await press('Merge tickets')
  expect(push).toHaveBeenCalledWith(`/admin/ticket/${taken.id}`)
  expect(toast.success).toHaveBeenCalledWith(
    `A colleague merged this ticket before you. It continues here, in #${taken.identifier}.`,
  )
})

test('a refusal stays in the dialog', async () => {
  await shown(refusal(409, 'TICKET_MERGED', 'This ticket was merged into #acdefghj. Continue there.'))
  await choose()
  await press('Merge tickets')
  expect(textOf('dialog [role=alert]')).toBe('This ticket was merged into #acdefghj. Continue there.')
  expect(push).not.toHaveBeenCalled()
})
