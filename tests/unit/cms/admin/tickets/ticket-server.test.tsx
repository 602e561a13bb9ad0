// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { TicketServer } from '../../../../../src/cms/admin/tickets/ticket-server.tsx'
import { COLLEAGUE } from '../../../../factories/staff-ticket.ts'
import { showAdmin, textOf } from '../../../../support/admin-screen.tsx'

vi.mock('@payloadcms/ui', () => import('../../../../support/payload-ui.tsx'))

const AT = '2026-06-01T10:00:00.000Z'

test.each([
  ['console', null, 'Last lines of the console, the newest from'],
  ['crash', 'away', 'The console on the machine could not be reached, so it is not included.'],
] as const)('lines of the %s are called that, with how many the customer left out', async (source, missing, words) => {
  const facts = { identifier: 'acdefghj', name: 'Skyblock', game: '', template: '', version: null, errors: [] }
  const log = { at: AT, lines: ['Done'], source, removed: 2 }
  await showAdmin(
    <TicketServer server={{ ...facts, serverId: COLLEAGUE ?? '', status: 'running', log, missing }} />,
    () => undefined,
  )
  expect(textOf('.bakter-sent-server')).toContain(words)
  expect(textOf('.bakter-sent-server')).toContain('Lines left out by the customer: 2')
})
