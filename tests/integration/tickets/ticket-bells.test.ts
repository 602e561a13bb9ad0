import { afterAll, beforeAll, expect, it } from 'vitest'
import { listNotifications } from '../../../control-plane/messages/notices/read-notices.ts'
import { addTicketPerson, assignTicket } from '../../../control-plane/tickets/manage-ticket.ts'
import type { TicketCaller } from '../../../control-plane/tickets/reach-ticket.ts'
import { TicketDesk } from '../../factories/ticket-desk.ts'

let desk: TicketDesk
beforeAll(async () => {
  desk = await TicketDesk.open()
})
afterAll(() => desk.close())

const bells = async ({ userId }: TicketCaller) =>
  (await listNotifications(desk.database.db, { userId })).map(({ text, data }) => ({ text, ...data }))
/** The notifications that were sent to the open pages of somebody. */
const sent = async ({ userId }: TicketCaller) =>
  desk.database.owner.query(
    `select 1 from control.outbox where topic = 'browser-event' and payload->'message'->>'event' = 'notification.new'
     and payload->'userIds' ? $1`,
    [userId],
  )
const assigned = async (staff: TicketCaller, ticketId: string) =>
  assignTicket(desk.context(), { caller: staff, ticketId, userId: staff.userId, seen: null, requestId: 'req-1' })
const named = async ({ userId }: TicketCaller) => {
  const [row] = await desk.database.owner.query<{ username: string }>(
    'select username from cms_api.people where id = $1',
    [userId],
  )
  return row?.username
}

it('a reply of staff rings the bells of its customers, once for each message', async () => {
  const [customer, friend, staff, colleague] = [
    await desk.person(),
    await desk.person(),
    await desk.worker(),
    await desk.worker(),
  ]
  const ticketId = await desk.opened(customer, { title: 'It does not start' })
  await addTicketPerson(desk.context(), { caller: staff, ticketId, userId: friend.userId, requestId: 'req-1' })
  await assigned(colleague, ticketId)
  const reply = () => desk.say(staff, ticketId, { key: 'a-reply' })
  await Promise.all([reply(), reply()])
  await reply()
  const rung = [{ text: 'ticket.reply', ticketId, title: 'It does not start', person: await named(staff) }]
  expect([await bells(customer), await bells(friend)]).toEqual([rung, rung])
  expect([await sent(customer), await sent(friend)].map(({ length }) => length)).toEqual([1, 1])
  expect([await bells(staff), await bells(colleague)]).toEqual([[], []])
})

it('a message of a customer rings the bell of the assignee, and nobody’s without one', async () => {
  const [customer, friend, staff, colleague] = [
    await desk.person(),
    await desk.person(),
    await desk.worker(),
    await desk.worker(),
  ]
  const ticketId = await desk.opened(customer)
  await addTicketPerson(desk.context(), { caller: staff, ticketId, userId: friend.userId, requestId: 'req-1' })
  await desk.say(customer, ticketId)
  expect([await bells(staff), await bells(colleague)]).toEqual([[], []])
  await assigned(staff, ticketId)
  await desk.say(friend, ticketId)
  expect(await bells(staff)).toEqual([
    { text: 'ticket.customer-reply', ticketId, title: 'Help', person: await named(friend) },
  ])
  expect([await bells(colleague), await bells(customer), await bells(friend)]).toEqual([[], [], []])
})

it('an assignee who no longer works there hears nothing', async () => {
  const [customer, staff] = [await desk.person(), await desk.worker()]
  const ticketId = await desk.opened(customer)
  await assigned(staff, ticketId)
  await desk.database.owner.query('delete from cms_api.ticket_staff where user_id = $1', [staff.userId])
  await desk.say(customer, ticketId)
  expect(await bells(staff)).toEqual([])
})

it('a note rings no bell', async () => {
  const [customer, staff, colleague] = [await desk.person(), await desk.worker(), await desk.worker()]
  const ticketId = await desk.opened(customer)
  await assigned(staff, ticketId)
  expect(await desk.say(colleague, ticketId, { kind: 'note' })).toMatchObject({ ok: true })
  expect([await bells(customer), await bells(staff)]).toEqual([[], []])
})

it('a message whose telling fails is not stored, and the next attempt does both', async () => {
  const [customer, staff] = [await desk.person(), await desk.worker()]
  const ticketId = await desk.opened(customer)
  const { owner } = desk.database
  await owner.query(
    `alter table control.notifications add constraint broken check (data->>'title' <> 'Help') not valid`,
  )
  const reply = () => desk.say(staff, ticketId, { key: 'again', text: 'After all' })
  await expect(reply()).rejects.toThrow('broken')
  const lines = () => owner.query(`select 1 from control.ticket_messages where ticket_id = $1 and by_staff`, [ticketId])
  expect(await lines()).toEqual([])
  await owner.query('alter table control.notifications drop constraint broken')
  expect(await reply()).toMatchObject({ ok: true })
  expect([(await lines()).length, (await bells(customer)).length]).toEqual([1, 1])
})
