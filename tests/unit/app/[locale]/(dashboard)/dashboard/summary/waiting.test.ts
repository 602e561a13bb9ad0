import { expect, it } from 'vitest'
import type { ServerInvitation } from '#contracts/http/panel/collaborators.ts'
import type { Ticket } from '#contracts/http/desk/ticket-entity.ts'
import { waitingOf } from '../../../../../../../src/app/[locale]/(dashboard)/dashboard/summary/waiting.ts'
import { OWNER_ID } from '../../../../../../factories/shown-server.ts'
import { listedId, listedServer } from '../../../../../../support/listed-servers.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(NOW + days * DAY_MS).toISOString()
const mine = { id: OWNER_ID, username: 'anna' }
const theirs = { id: listedId(900), username: 'otto' }
const server = (at: number, facts: Parameters<typeof listedServer>[1]) =>
  listedServer(at, { status: 'running', expiry: inDays(20), owner: mine, ...facts })

const ticket = (id: number, unread: boolean): Ticket => ({
  id: listedId(id),
  identifier: 'acdefghj',
  title: `Ticket ${id}`,
  lastMessage: { message: 'Hello', createdAt: inDays(-1) },
  category: 'Servers',
  categoryId: listedId(901),
  status: 'open',
  opener: mine,
  admin: null,
  addedUsers: [],
  createdAt: inDays(-2),
  unread,
})
const invitation: ServerInvitation = {
  serverId: listedId(60),
  serverName: 'Fort',
  serviceName: 'Minecraft',
  pictures: { banner: null, icon: null },
  owner: 'otto',
  invitedBy: 'otto',
  permissions: ['console.read'],
  endsAt: null,
  createdAt: inDays(-1),
  expiresAt: inDays(6),
}
const nothing = { servers: [], tickets: [], invitations: [], readerId: OWNER_ID }
const kindsOf = (known: Partial<Parameters<typeof waitingOf>[0]>) =>
  waitingOf({ ...nothing, ...known }, NOW).map((each) => (each.kind === 'server' ? each.attention : each.kind))

it('nothing waits for somebody whose servers run and who has read everything', () => {
  expect(kindsOf({ servers: [server(1, {})], tickets: [ticket(1, false)] })).toEqual([])
})

it('servers in trouble come first, the worst before the others, then replies, then invitations', () => {
  const servers = [server(1, { expiry: inDays(2) }), server(2, { status: 'crashed' }), server(3, {})]
  const tickets = [ticket(1, true), ticket(2, false)]
  expect(kindsOf({ servers, tickets, invitations: [invitation] })).toEqual([
    'crashed',
    'expiresSoon',
    'ticket',
    'invitation',
  ])
})

it('the renewal of somebody else’s server does not wait for the reader, its crash does', () => {
  const servers = [server(1, { owner: theirs, expiry: inDays(1) }), server(2, { owner: theirs, status: 'crashed' })]
  expect(kindsOf({ servers })).toEqual(['crashed'])
  expect(kindsOf({ servers, readerId: undefined })).toEqual(['crashed'])
})

it('a suspension waits for the owner, who can ask support, and for nobody else', () => {
  expect(kindsOf({ servers: [server(1, { status: 'suspended' })] })).toEqual(['suspended'])
  expect(kindsOf({ servers: [server(1, { status: 'suspended', owner: theirs })] })).toEqual([])
})

it('a machine under maintenance is nothing that the reader ends', () => {
  expect(kindsOf({ servers: [server(1, { status: 'nodeoffline' })] })).toEqual([])
})
