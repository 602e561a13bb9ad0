// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import type { ServerContext } from '#contracts/http/desk/server-context.ts'
import { TicketServer } from '../../../../../src/cms/admin/tickets/ticket-server.tsx'
import { COLLEAGUE } from '../../../../factories/staff-ticket.ts'
import { showAdmin, textOf } from '../../../../support/admin-screen.tsx'

vi.mock('@payloadcms/ui', () => import('../../../../support/payload-ui.tsx'))

const AT = '2026-06-01T10:00:00.000Z'

const serverWith = (sent: Pick<ServerContext, 'log' | 'missing'>): ServerContext => ({
  serverId: COLLEAGUE ?? '',
  identifier: 'acdefghj',
  name: 'Skyblock',
  game: '',
  template: '',
  version: null,
  status: 'running',
  errors: [],
  ...sent,
})

test.each([
  ['console', null, 'Last lines of the console, the newest from'],
  ['crash', 'away', 'The console on the machine could not be reached, so it is not included.'],
  ['crash', 'suspended', 'The server was suspended, so its console is not included.'],
] as const)(
  'lines of the %s are called that, with how many the customer left out; %s is said',
  async (source, missing, words) => {
    const log = { at: AT, lines: ['Done'], source, removed: 2 }
    await showAdmin(<TicketServer server={serverWith({ log, missing })} />, () => undefined)
    expect(textOf('.bakter-sent-server')).toContain(words)
    expect(textOf('.bakter-sent-server')).toContain('Lines left out by the customer: 2')
  },
)

test.each([
  ['empty', 'The console had no lines.'],
  ['away', 'The console on the machine could not be reached'],
  ['suspended', 'The server was suspended'],
] as const)(
  'a console that is missing because it is %s is said in words, and no lines stand there',
  async (missing, words) => {
    await showAdmin(<TicketServer server={serverWith({ log: null, missing })} />, () => undefined)
    expect(textOf('.bakter-sent-server')).toContain(words)
    expect(document.querySelector('.bakter-sent-server pre')).toBeNull()
  },
)
