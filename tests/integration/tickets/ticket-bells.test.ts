import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemIds } from '#platform/ids.ts'
import { listNotifications } from '../../../control-plane/messages/notices/read-notices.ts'
import {
  addTicketPerson,
  assignTicket,
  deleteTicket,
  moveTicket,
} from '../../../control-plane/tickets/manage-ticket.ts'
import { mergeTicket } from '../../../control-plane/tickets/merge-ticket.ts'
import type { TicketCaller } from '../../../control-plane/tickets/reach-ticket.ts'
import { TicketDesk } from '../../factories/ticket-desk.ts'

let desk: TicketDesk
beforeAll(async () => {
  desk = await TicketDesk.open()
})
afterAll(() => desk.close())

/** They have tests of their own, and ring while the tickets of these tests are prepared. */
const OTHERS = ['ticket.opened', 'ticket.assigned', 'ticket.added']
const bells = async ({ userId }: TicketCaller) =>
  (await listNotifications(desk.database.db, { userId }))
    .filter(({ text }) => !OTHERS.includes(text))
    .map(({ text, data }) => ({ text, ...data }))
/** The notifications that were sent to the open pages of somebody. */
const sent = async ({ userId }: TicketCaller) =>
  desk.database.owner.query(
    `select 1 from control.outbox where topic = 'browser-event' and payload->'message'->>'event' = 'notification.new'
     and payload->'userIds' ? $1 and payload->'message'->'data'->>'text' <> all ($2)`,
    [userId, OTHERS],
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

const given = (caller: TicketCaller, ticketId: string, [from, to]: readonly [TicketCaller, TicketCaller | null]) =>
  assignTicket(desk.context(), {
    caller,
    ticketId,
    userId: to?.userId ?? null,
    seen: from.userId,
    requestId: 'req-1',
  })

it('a former assignee hears once that a colleague took the ticket, and who did it, and nobody hears of their own act', async () => {
  const [customer, staff, colleague, lead] = [
    await desk.person(),
    await desk.worker(),
    await desk.worker(),
    await desk.worker(),
  ]
  const ticketId = await desk.opened(customer)
  await assigned(staff, ticketId)
  await given(lead, ticketId, [staff, colleague])
  await given(lead, ticketId, [staff, colleague])
  const lost = { text: 'ticket.taken', ticketId, title: 'Help', person: await named(lead) }
  expect(await bells(staff)).toEqual([lost])
  expect([await bells(colleague), await bells(lead)]).toEqual([[], []])
  // To nobody, by somebody else and by themselves.
  await given(lead, ticketId, [colleague, null])
  expect(await bells(colleague)).toEqual([lost])
  await assigned(lead, ticketId)
  await given(lead, ticketId, [lead, null])
  expect(await bells(lead)).toEqual([])
})

it('an assignee whose ticket is moved away hears of it, without a link to what they see no more', async () => {
  const elsewhere = await desk.category()
  const [customer, staff, both] = [await desk.person(), await desk.worker(), await desk.worker()]
  await desk.database.owner.query('insert into cms_api.ticket_staff values ($1, $2)', [both.userId, elsewhere])
  const ticketId = await desk.opened(customer)
  await assigned(staff, ticketId)
  const move = (caller: TicketCaller, categoryId: string, id = ticketId) =>
    moveTicket(desk.context(), { caller, ticketId: id, categoryId, requestId: 'req-1' })
  await move(both, elsewhere)
  expect(await bells(staff)).toEqual([
    { text: 'ticket.moved', aboutTicketId: ticketId, title: 'Help', person: await named(both) },
  ])
  // A member of staff who works in both keeps the ticket, and hears nothing.
  const kept = await desk.opened(customer)
  await assigned(both, kept)
  await move(staff, elsewhere, kept)
  expect(await bells(both)).toEqual([])
  // The bell without a link goes with its ticket as well.
  const admin = await desk.person({ isAdmin: true })
  await deleteTicket(desk.context(), { caller: admin, ticketId, requestId: 'req-1' })
  expect(await bells(staff)).toEqual([])
})

it('an assignee whose ticket is merged into a colleague’s hears of it, and is led there', async () => {
  const [customer, staff, colleague, lead] = [
    await desk.person(),
    await desk.worker(),
    await desk.worker(),
    await desk.worker(),
  ]
  const merge = async (caller: TicketCaller, owners: readonly [TicketCaller, TicketCaller]) => {
    const [ticketId, intoId] = [
      await desk.opened(customer, { title: 'Lag' }),
      await desk.opened(customer, { title: 'Slow' }),
    ]
    await assigned(owners[0], ticketId)
    await assigned(owners[1], intoId)
    const key = systemIds.next()
    for (let attempt = 0; attempt < 2; attempt += 1)
      await mergeTicket(desk.context(), { caller, ticketId, intoId, key, requestId: 'req-1' })
    return intoId
  }
  const intoId = await merge(lead, [staff, colleague])
  expect(await bells(staff)).toEqual([
    { text: 'ticket.merged-away', ticketId: intoId, title: 'Slow', merged: 'Lag', person: await named(lead) },
  ])
  expect(await bells(colleague)).toEqual([])
  // Their own act, and a target that is theirs as well.
  await merge(colleague, [colleague, staff])
  await merge(lead, [colleague, colleague])
  expect(await bells(colleague)).toEqual([])
})

it('the bells of a ticket go with it, those of tickets that were merged into it too, and no others', async () => {
  const [customer, staff] = [await desk.person(), await desk.worker()]
  const admin = await desk.person({ isAdmin: true })
  const [gone, into, other] = [await desk.opened(customer), await desk.opened(customer), await desk.opened(customer)]
  for (const ticketId of [gone, into, other]) {
    await assigned(staff, ticketId)
    await desk.say(customer, ticketId)
    await desk.say(staff, ticketId)
  }
  await mergeTicket(desk.context(), { caller: staff, ticketId: gone, intoId: into, key: 'bells', requestId: 'req-1' })
  expect((await bells(customer)).length).toBe(4)
  await deleteTicket(desk.context(), { caller: admin, ticketId: into, requestId: 'req-1' })
  const rest = [await bells(customer), await bells(staff)]
  expect(rest.map((all) => all.map((bell) => ('ticketId' in bell ? bell.ticketId : null)))).toEqual([[other], [other]])
})

it('a bell that a later release has written is left out, and the others are told page by page', async () => {
  const customer = await desk.person()
  for (const [text, data] of [
    ['server.installed', {}],
    ['of.a-later-release', { sid: 7 }],
    ['server.expired', {}],
  ] as const)
    await desk.database.owner.query(
      'insert into control.notifications (id, user_id, text, data, created_at) values ($1, $2, $3, $4, now())',
      [systemIds.next(), customer.userId, text, JSON.stringify(data)],
    )
  const { userId } = customer
  expect((await bells(customer)).map(({ text }) => text)).toEqual(['server.expired', 'server.installed'])
  expect(await listNotifications(desk.database.db, { userId, limit: 2 })).toHaveLength(2)
})
