// @vitest-environment happy-dom
import { act } from 'react'
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
import {
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
const shown = (merge: SiteAnswer) =>
  showAdmin(
    <MergeDialog
      view={staffTicket({}, { addedUsers: [bela] })}
      categories={[]}
      userId={COLLEAGUE}
      reload={() => Promise.resolve()}
      onClose={() => {}}
    />,
    ({ path }) => (path.endsWith('/merge') ? merge : others),
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

test('a refusal stays in the dialog', async () => {
  await shown(refusal(409, 'TICKET_MERGED', 'This ticket was merged into #acdefghj. Continue there.'))
  await choose()
  await press('Merge tickets')
  expect(textOf('dialog [role=alert]')).toBe('This ticket was merged into #acdefghj. Continue there.')
  expect(push).not.toHaveBeenCalled()
})
