// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import type { TicketMessage } from '../../../../../src/contracts/http/ticket.ts'
import { Conversation } from '../../../../../src/cms/admin/tickets/conversation.tsx'
import { COLLEAGUE, TICKET_ID, ticketLine } from '../../../../factories/staff-ticket.ts'
import { showAdmin, textOf } from '../../../../support/admin-screen.tsx'

vi.mock('@payloadcms/ui', () => import('../../../../support/payload-ui.tsx'))

const customer = (...serverIds: string[]) => ({
  balance: { availableFt: 0, heldFt: 0, debtFt: 0 },
  servers: serverIds.map((id) => ({
    id,
    identifier: 'acdefghj',
    name: 'Skyblock',
    status: 'running',
    expiry: '2026-06-02T10:00:00.000Z',
    troubles: [],
  })),
  hasMoreServers: true,
  hadTestServer: 'customer',
})
const shown = (isAdmin: boolean, serverId?: string, beside?: string[]) => {
  const server = serverId === undefined ? {} : { serverId }
  return shownEvent({ isAdmin, event: { type: 'test server granted', about: 'Skyblock', ...server }, beside })
}
type Shown = { isAdmin: boolean; event: NonNullable<TicketMessage['event']>; beside?: string[] | undefined }
const shownEvent = ({ isAdmin, event, beside = [COLLEAGUE ?? ''] }: Shown) => {
  const messages = [ticketLine(1, { kind: 'event', message: '', event })]
  const page = { hasEarlier: false, isLoadingEarlier: false, isEarlierFailed: false, loadEarlier: () => undefined }
  return showAdmin(<Conversation ticketId={TICKET_ID} isAdmin={isAdmin} messages={messages} {...page} />, () =>
    customer(...beside),
  )
}

test.each([
  [true, `/panel/${COLLEAGUE}/console`, 'Open server'],
  [false, `#server-${COLLEAGUE}`, 'Show server'],
])(
  'a granted test server leads administrators (%s) to its panel, and support to its row beside the ticket',
  async (isAdmin, href, label) => {
    await shown(isAdmin, COLLEAGUE)
    expect(textOf('li')).toContain('anna granted a free one-day test server: Skyblock')
    const link = document.querySelector('li a')
    expect([link?.getAttribute('href'), link?.textContent]).toEqual([href, label])
  },
)

test('a test server that is gone leads nowhere', async () => {
  await shown(true)
  expect(textOf('li')).toContain('anna granted a free one-day test server: Skyblock')
  expect(document.querySelector('li a')).toBeNull()
})

test('a test server that is not among the servers beside the ticket has no link for support, and one for administrators', async () => {
  await shown(false, COLLEAGUE, [TICKET_ID])
  expect(textOf('li')).toContain('anna granted a free one-day test server: Skyblock')
  expect(document.querySelector('li a')).toBeNull()
  await shown(true, COLLEAGUE, [TICKET_ID])
  expect(document.querySelector('li a')?.getAttribute('href')).toBe(`/panel/${COLLEAGUE}/console`)
})

test.each([
  ['anna', 'anna took the ticket'],
  ['dora', 'anna assigned the ticket to dora'],
  ['', 'anna assigned the ticket to deleted account'],
  [null, 'anna unassigned the ticket'],
])('a ticket that anna assigns to %j is told as: %s', async (about, line) => {
  await shownEvent({ isAdmin: false, event: { type: 'assigned', about } })
  expect(textOf('li')).toContain(line)
})
