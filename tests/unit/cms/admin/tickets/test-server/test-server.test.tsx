// @vitest-environment happy-dom
import { act } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { QueuedTicket } from '#contracts/http/ticket.ts'
import { TestServer } from '../../../../../../src/cms/admin/tickets/test-server/test-server.tsx'
import { queuedTicket, TECHNICAL, TICKET_ID, BILLING, COLLEAGUE } from '../../../../../factories/staff-ticket.ts'
import {
  button,
  press,
  refusal,
  showAdmin,
  textOf,
  type,
  type SiteAnswer,
} from '../../../../../support/admin-screen.tsx'
import { toast } from '../../../../../support/payload-ui.tsx'

vi.mock('@payloadcms/ui', () => import('../../../../../support/payload-ui.tsx'))
beforeEach(() => {
  toast.success.mockClear()
})

const game = {
  id: BILLING,
  name: 'Minecraft',
  category: 'gameServer',
  orderable: true,
  unavailableReason: null,
  packages: [{ id: TECHNICAL, name: 'Small', orderable: true }],
}
const granted = { serverId: COLLEAGUE, expiresAt: '2026-06-02T10:00:00.000Z' }
type Facts = {
  readonly ticket?: Partial<QueuedTicket>
  readonly had?: boolean
  readonly services?: readonly object[]
  readonly grant?: () => SiteAnswer
}
const reload = vi.fn<() => Promise<void>>(() => Promise.resolve())
const shown = ({ ticket, had = false, services = [game], grant = () => granted }: Facts = {}) =>
  showAdmin(<TestServer ticket={queuedTicket(1, ticket)} hadTestServer={had} reload={reload} />, ({ path }) =>
    path === '/api/services' ? services : grant(),
  )
const isOffered = () => document.querySelector('button') !== null

test.each([
  ['to a customer who had one', { had: true }],
  ['from a closed ticket', { ticket: { status: 'closed' } }],
  ['where nothing can be granted', { services: [{ ...game, category: 'vps' }] }],
] as const)('a test server is not offered %s', async (_where, facts) => {
  await shown(facts)
  expect(isOffered()).toBe(false)
  expect(textOf('dd')).toBe('had' in facts ? 'Already had one' : 'Not yet')
})

test('services that could not be read are asked for again by the reader', async () => {
  let isDown = true
  await showAdmin(<TestServer ticket={queuedTicket(1)} hadTestServer={false} reload={reload} />, () =>
    isDown ? refusal(503, 'MAINTENANCE', 'Not now.') : [game],
  )
  isDown = false
  await press('Try again')
  expect(textOf('button')).toBe('Grant test server…')
})

test('says that it is free and until when it runs, and grants the chosen package under its name', async () => {
  const { posts } = await shown()
  await press('Grant test server…')
  expect(textOf('dialog')).toContain('anna pays nothing for it')
  expect(textOf('dialog')).toMatch(/until about \S/)
  await type('Server name', ' Try it ')
  await press('Grant')
  expect(posts()).toMatchObject([
    {
      path: `/api/ticket/${TICKET_ID}/test-server`,
      body: { serviceId: BILLING, packageId: TECHNICAL, name: 'Try it' },
    },
  ])
  expect(document.querySelector('dialog')).toBeNull()
  expect(toast.success).toHaveBeenCalledOnce()
  expect(reload).toHaveBeenCalledOnce()
})

test('a name is needed before anything is sent', async () => {
  const { posts } = await shown()
  await press('Grant test server…')
  await press('Grant')
  expect(textOf('dialog [role=alert]')).toBe('Name the server, with up to 48 characters.')
  expect(posts()).toEqual([])
})

test('a grant whose answer was lost is repeated under its key, and one that is pressed twice is sent once', async () => {
  const answers: SiteAnswer[] = [undefined, granted]
  const { posts } = await shown({ grant: () => answers.shift() })
  await press('Grant test server…')
  await type('Server name', 'Try')
  await act(async () => {
    button('Grant').click()
    button('Grant').click()
  })
  await press('Grant')
  const keys = posts().map(({ key }) => key)
  expect(keys).toEqual([keys[0], keys[0]])
  expect(keys[0]).toMatch(/\S/)
})

test('a refusal stays in the dialog', async () => {
  await shown({ grant: () => refusal(409, 'TEST_ALREADY_HAD', 'This customer has already had a test server.') })
  await press('Grant test server…')
  await type('Server name', 'Try')
  await press('Grant')
  expect(textOf('dialog [role=alert]')).toBe('This customer has already had a test server.')
})
