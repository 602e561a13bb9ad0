import { expect, test } from 'vitest'
import { noticePath } from '#domain/notifications/notice-link.ts'

const sid = '019aa000-0000-7000-8000-000000000001'
const CONSOLE = `/panel/${sid}/console`

test.each([
  ['server.installed', true, CONSOLE],
  ['server.installed', false, CONSOLE],
  ['purchase.success', false, CONSOLE],
  ['server.expired', true, `/panel/${sid}/settings`],
  ['server.expired', false, null],
  ['server.expiring', true, `/panel/${sid}/settings`],
  ['server.expiring', false, null],
  ['renewal.missing', true, `/panel/${sid}/settings`],
  ['server.crashed', false, null],
  ['server.storage-filling', true, `/panel/${sid}/files`],
  ['server.storage-filling', false, null],
  ['server.package-changed', true, CONSOLE],
  ['server.invited', false, '/dashboard/servers'],
  ['server.joined', true, `/panel/${sid}/users`],
  ['server.declined', false, null],
  ['server.access-ended', false, null],
  ['topup.failed', false, '/dashboard/balance/summary'],
  ['topup.successful', true, '/dashboard/balance/summary'],
  ['refund.size', true, '/dashboard/balance/summary'],
  ['refund.sent', false, '/dashboard/balance/summary'],
  ['payment.taken-back', false, '/dashboard/balance/summary'],
  ['order.failed', true, '/dashboard/balance/summary'],
  ['premium.expired', false, '/dashboard/premium'],
])('%s of a server that is listed: %s leads to %s', (text, isListed, path) => {
  expect(noticePath({ text, sid, isListed })).toBe(path)
})

test('a reply leads its reader to the side on which they read the ticket', () => {
  const of = (text: string, ticketId?: string) => noticePath({ text, ticketId, isListed: false })
  expect(of('ticket.reply', 'a')).toBe('/dashboard/ticket/a')
  expect(of('ticket.customer-reply', 'a')).toBe('/admin/ticket/a')
  expect(of('ticket.reply')).toBeNull()
  for (const text of ['ticket.taken', 'ticket.moved', 'ticket.merged-away', 'ticket.assigned', 'ticket.opened'])
    expect([of(text, 'a'), of(text)]).toEqual(['/admin/ticket/a', null])
  for (const text of ['ticket.added', 'ticket.closed', 'ticket.merged'])
    expect([of(text, 'a'), of(text)]).toEqual(['/dashboard/ticket/a', null])
})

test('several new tickets lead to the queue of staff', () => {
  expect(noticePath({ text: 'ticket.opened', count: 2, isListed: false })).toBe('/admin/tickets')
})

test('without a server there is no console to lead to', () => {
  expect(noticePath({ text: 'server.installed', sid: undefined, isListed: false })).toBeNull()
})
