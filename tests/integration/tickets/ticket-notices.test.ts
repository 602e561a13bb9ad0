import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemIds } from '#platform/ids.ts'
import { listNotifications } from '../../../control-plane/messages/notices/read-notices.ts'
import { closeOrReopen, rateTicket } from '../../../control-plane/tickets/change-ticket.ts'
import {
  addTicketPerson,
  assignTicket,
  moveTicket,
  removeTicketPerson,
} from '../../../control-plane/tickets/manage-ticket.ts'
import { mergeTicket } from '../../../control-plane/tickets/merge-ticket.ts'
import type { TicketCaller } from '../../../control-plane/tickets/reach-ticket.ts'
import { TicketDesk } from '../../factories/ticket-desk.ts'

let desk: TicketDesk
beforeAll(async () => {
  desk = await TicketDesk.open()
})
afterAll(() => desk.close())

/** The bells of somebody, newest first, without those of new tickets that each member of staff has. */
const bells = async ({ userId }: TicketCaller) =>
  (await listNotifications(desk.database.db, { userId }))
    .filter(({ text }) => text !== 'ticket.opened')
    .map(({ text, data }) => ({ text, ...data }))
/** The messages to the open pages of somebody. */
const sent = async ({ userId }: TicketCaller, text: string) => {
  const rows = await desk.database.owner.query(
    `select 1 from control.outbox where topic = 'browser-event' and payload->'message'->>'event' = 'notification.new'
     and payload->'userIds' ? $1 and payload->'message'->'data'->>'text' = $2`,
    [userId, text],
  )
  return rows.length
}
const named = async ({ userId }: TicketCaller) => {
  const [row] = await desk.database.owner.query<{ username: string }>(
    'select username from cms_api.people where id = $1',
    [userId],
  )
  return row?.username
}
const suspend = ({ userId }: TicketCaller) =>
  desk.database.owner.query('insert into cms_api.suspended_people values ($1)', [userId])
const erase = ({ userId }: TicketCaller) =>
  desk.database.owner.query('insert into cms_api.erased_people values ($1)', [userId])

const assign = (caller: TicketCaller, ticketId: string, to: TicketCaller, seen: TicketCaller | null = null) =>
  assignTicket(desk.context(), {
    caller,
    ticketId,
    userId: to.userId,
    seen: seen?.userId ?? null,
    requestId: 'req-1',
  })
const add = (caller: TicketCaller, ticketId: string, { userId }: TicketCaller) =>
  addTicketPerson(desk.context(), { caller, ticketId, userId, requestId: 'req-1' })
const remove = (caller: TicketCaller, ticketId: string, { userId }: TicketCaller) =>
  removeTicketPerson(desk.context(), { caller, ticketId, userId, requestId: 'req-1' })
const act = (caller: TicketCaller, ticketId: string, what: 'close' | 'reopen') =>
  closeOrReopen(desk.context(), { caller, ticketId, requestId: 'req-1', act: what })
const merge = (caller: TicketCaller, ticketId: string, intoId: string) =>
  mergeTicket(desk.context(), { caller, ticketId, intoId, key: systemIds.next(), requestId: 'req-1' })

describe('an assigned ticket', () => {
  it('rings the bell of the colleague who gets it, once, also for two at once, and of nobody else', async () => {
    const [customer, lead, colleague, other] = [
      await desk.person(),
      await desk.worker(),
      await desk.worker(),
      await desk.worker(),
    ]
    const ticketId = await desk.opened(customer, { title: 'Lag' })
    await Promise.all([assign(lead, ticketId, colleague), assign(lead, ticketId, colleague)])
    await assign(lead, ticketId, colleague, colleague)
    const rung = { text: 'ticket.assigned', ticketId, title: 'Lag', person: await named(lead) }
    expect(await bells(colleague)).toEqual([rung])
    expect(await sent(colleague, 'ticket.assigned')).toBe(1)
    expect([await bells(lead), await bells(other), await bells(customer)]).toEqual([[], [], []])
  })

  it('rings of two people who give it at once to different colleagues the one who has it', async () => {
    const [customer, lead, one, two] = [
      await desk.person(),
      await desk.worker(),
      await desk.worker(),
      await desk.worker(),
    ]
    const ticketId = await desk.opened(customer)
    const given = await Promise.all([assign(lead, ticketId, one), assign(lead, ticketId, two)])
    const rings = [await bells(one), await bells(two)].map(({ length }) => length)
    expect(rings).toEqual(given.map(({ ok }) => (ok ? 1 : 0)))
    expect(rings.toSorted()).toEqual([0, 1])
  })

  it('rings nobody who takes it themselves, nor a suspended or erased colleague', async () => {
    const [customer, staff, gone, left] = [
      await desk.person(),
      await desk.worker(),
      await desk.worker(),
      await desk.worker(),
    ]
    await suspend(gone)
    await erase(left)
    const ticketId = await desk.opened(customer)
    await assign(staff, ticketId, staff)
    await assign(staff, ticketId, gone, staff)
    await assign(staff, ticketId, left, gone)
    expect([await bells(staff), await bells(gone)].flat().map(({ text }) => text)).not.toContain('ticket.assigned')
    expect(await bells(left)).toEqual([])
  })
})

describe('a person who is added to a ticket', () => {
  it('hears of it once for each time, also of two at once, and nobody else does', async () => {
    const [customer, friend, staff] = [await desk.person(), await desk.person(), await desk.worker()]
    const ticketId = await desk.opened(customer, { title: 'Lag' })
    await Promise.all([add(staff, ticketId, friend), add(staff, ticketId, friend)])
    await add(staff, ticketId, friend)
    const rung = { text: 'ticket.added', ticketId, title: 'Lag', person: await named(staff) }
    expect(await bells(friend)).toEqual([rung])
    expect(await sent(friend, 'ticket.added')).toBe(1)
    expect([await bells(customer), await bells(staff)]).toEqual([[], []])
    await remove(staff, ticketId, friend)
    await add(staff, ticketId, friend)
    expect(await bells(friend)).toEqual([rung])
    expect(await sent(friend, 'ticket.added')).toBe(2)
  })

  it('hears nothing of the removal, after which nothing is left of what they heard, also of a merged ticket', async () => {
    const [customer, friend, other, staff] = [
      await desk.person(),
      await desk.person(),
      await desk.person(),
      await desk.worker(),
    ]
    const [merged, into, elsewhere] = [
      await desk.opened(customer),
      await desk.opened(customer),
      await desk.opened(customer, { title: 'Another' }),
    ]
    for (const ticketId of [merged, into, elsewhere]) await add(staff, ticketId, friend)
    for (const ticketId of [merged, into]) await add(staff, ticketId, other)
    await desk.say(staff, merged)
    await merge(staff, merged, into)
    await remove(staff, into, friend)
    expect((await bells(friend)).map(({ text, ticketId }) => [text, ticketId])).toEqual([['ticket.added', elsewhere]])
    expect((await bells(other)).map(({ text }) => text).toSorted()).toEqual([
      'ticket.added',
      'ticket.added',
      'ticket.merged',
      'ticket.reply',
    ])
    await act(staff, into, 'close')
    expect((await bells(friend)).map(({ text }) => text)).toEqual(['ticket.added'])
  })

  it('gets no mail any more that waited for a mail server, of a merged ticket neither; others get theirs', async () => {
    const [customer, friend, staff] = [await desk.person(), await desk.person(), await desk.worker()]
    const [merged, into] = [await desk.opened(customer), await desk.opened(customer)]
    for (const ticketId of [merged, into]) await add(staff, ticketId, friend)
    await merge(staff, merged, into)
    const { owner } = desk.database
    const told = await owner.query<{ id: string }>('select id from control.notifications where user_id = $1', [
      friend.userId,
    ])
    const bystander = systemIds.next()
    const waiting = [
      ...told.map(({ id }) => ({ id, request: 'req-1' })),
      ...[merged, into].map((id) => ({ id: systemIds.next(), request: `ticket:${id}:${friend.userId}` })),
      { id: bystander, request: `ticket:${into}:${customer.userId}` },
    ]
    for (const { id, request } of waiting)
      await owner.query(
        `insert into control.mails (id, kind, language, recipient, sealed, next_try_at, expires_at, request_id, created_at)
         values ($1, 'ticket.reply', 'en', 'a@example.test', 'the title', now(), now(), $2, now())`,
        [id, request],
      )
    await remove(staff, into, friend)
    const left = await owner.query(
      `select id, state, sealed is null as is_empty from control.mails where id = any ($1) and state = 'waiting'`,
      [waiting.map(({ id }) => id)],
    )
    expect(told.length).toBeGreaterThanOrEqual(3)
    expect(left).toEqual([{ id: bystander, state: 'waiting', is_empty: false }])
  })

  it('keeps what they heard as staff', async () => {
    const [customer, both, staff] = [await desk.person(), await desk.worker(), await desk.worker()]
    const ticketId = await desk.opened(customer)
    await add(staff, ticketId, both)
    await assign(staff, ticketId, both)
    await remove(staff, ticketId, both)
    expect((await bells(both)).map(({ text }) => text)).toEqual(['ticket.assigned'])
  })

  it('hears nothing while their account is suspended', async () => {
    const [customer, friend, staff] = [await desk.person(), await desk.person(), await desk.worker()]
    await suspend(friend)
    const ticketId = await desk.opened(customer)
    expect(await add(staff, ticketId, friend)).toEqual({ ok: true })
    expect([await bells(friend), await sent(friend, 'ticket.added')]).toEqual([[], 0])
  })
})

describe('a ticket that staff close', () => {
  it('rings the bells of its opener, who can rate it, and of added people, once for each closing', async () => {
    const [customer, friend, staff, colleague] = [
      await desk.person(),
      await desk.person(),
      await desk.worker(),
      await desk.worker(),
    ]
    const ticketId = await desk.opened(customer, { title: 'Lag' })
    await add(staff, ticketId, friend)
    await assign(staff, ticketId, staff)
    await Promise.all([act(colleague, ticketId, 'close'), act(staff, ticketId, 'close')])
    await act(staff, ticketId, 'close')
    const [line] = await desk.database.owner.query<{ author_id: string }>(
      `select author_id from control.ticket_messages where ticket_id = $1 and event = 'closed'`,
      [ticketId],
    )
    const person = await named(line?.author_id === staff.userId ? staff : colleague)
    const closed = { text: 'ticket.closed', ticketId, title: 'Lag', person }
    expect(await bells(customer)).toEqual([{ ...closed, rates: true }])
    expect((await bells(friend))[0]).toEqual(closed)
    expect([await sent(customer, 'ticket.closed'), await sent(friend, 'ticket.closed')]).toEqual([1, 1])
    expect([await bells(staff), await bells(colleague)]).toEqual([[], []])
    // Closed again: the opener has said already what they think.
    await rateTicket(desk.context(), { caller: customer, ticketId, requestId: 'req-1', rating: 'good' })
    await act(staff, ticketId, 'reopen')
    await act(staff, ticketId, 'close')
    expect((await bells(customer)).map(({ text, rates }) => [text, rates])).toEqual([
      ['ticket.closed', undefined],
      ['ticket.closed', true],
    ])
  })

  it('rings nobody when its opener closes it, staff who opened it too, and when it is merged', async () => {
    const [customer, friend, staff, colleague] = [
      await desk.person(),
      await desk.person(),
      await desk.worker(),
      await desk.worker(),
    ]
    const own = await desk.opened(customer)
    await add(staff, own, friend)
    await act(customer, own, 'close')
    const ofStaff = await desk.opened(staff)
    await act(staff, ofStaff, 'close')
    const [ticketId, into] = [await desk.opened(customer), await desk.opened(customer)]
    await merge(staff, ticketId, into)
    expect((await bells(customer)).map(({ text }) => text)).toEqual(['ticket.merged'])
    expect((await bells(friend)).map(({ text }) => text)).toEqual(['ticket.added'])
    expect([await bells(staff), await bells(colleague)]).toEqual([[], []])
  })

  it('rings the people of both tickets after a merge, and nobody who was removed, is suspended or erased', async () => {
    const [customer, ofBoth, removed, suspended, erased, staff] = [
      await desk.person(),
      await desk.person(),
      await desk.person(),
      await desk.person(),
      await desk.person(),
      await desk.worker(),
    ]
    const [ticketId, into] = [await desk.opened(customer), await desk.opened(customer, { title: 'Lag' })]
    for (const person of [ofBoth, removed, suspended, erased]) await add(staff, ticketId, person)
    await merge(staff, ticketId, into)
    await remove(staff, into, removed)
    await suspend(suspended)
    await erase(erased)
    await act(staff, into, 'close')
    const closings = async (who: TicketCaller) =>
      (await bells(who)).filter(({ text }) => text === 'ticket.closed').map((bell) => [bell.ticketId, bell.title])
    expect([await closings(customer), await closings(ofBoth)]).toEqual([[[into, 'Lag']], [[into, 'Lag']]])
    expect([await closings(removed), await closings(suspended), await closings(erased)]).toEqual([[], [], []])
  })
})

describe('what is told of a ticket', () => {
  it('has nothing that was written in it', async () => {
    const [customer, friend, staff, colleague] = [
      await desk.person(),
      await desk.person(),
      await desk.worker(),
      await desk.worker(),
    ]
    const ticketId = await desk.opened(customer, { message: 'my-secret' })
    await desk.say(staff, ticketId, { kind: 'note', text: 'my-secret' })
    await desk.say(staff, ticketId, { text: 'my-secret' })
    await add(staff, ticketId, friend)
    await assign(staff, ticketId, colleague)
    await act(staff, ticketId, 'close')
    const { owner } = desk.database
    const people = [customer, friend, staff, colleague].map(({ userId }) => userId)
    const told = await owner.query('select text, data from control.notifications where user_id = any ($1)', [people])
    expect(told.length).toBeGreaterThanOrEqual(6)
    expect(JSON.stringify(told)).not.toContain('my-secret')
    const events = await owner.query(
      `select payload from control.outbox where payload->'message'->>'event' = 'notification.new'`,
    )
    expect(JSON.stringify(events)).not.toContain('my-secret')
  })

  it('is not told when the act is not stored', async () => {
    const [customer, staff] = [await desk.person(), await desk.worker()]
    const { owner } = desk.database
    const ticketId = await desk.opened(customer, { title: 'Broken' })
    await owner.query(
      `alter table control.notifications add constraint broken check (data->>'title' <> 'Broken' or text <> 'ticket.closed') not valid`,
    )
    await expect(act(staff, ticketId, 'close')).rejects.toThrow('broken')
    const [row] = await owner.query('select status from control.tickets where id = $1', [ticketId])
    expect(row).toEqual({ status: 'open' })
    await owner.query('alter table control.notifications drop constraint broken')
    await act(staff, ticketId, 'close')
    expect((await bells(customer)).map(({ text }) => text)).toEqual(['ticket.closed'])
  })

  it('loses its link with a ticket that it was merged into, which moves or is merged elsewhere, on open pages as well', async () => {
    const elsewhere = await desk.category()
    const admin = await desk.person({ isAdmin: true })
    await desk.database.owner.query('insert into cms_api.ticket_staff values ($1, null)', [admin.userId])
    const [customer, staff] = [await desk.person(), await desk.worker()]
    const [first, moving, second, source] = [
      await desk.opened(customer),
      await desk.opened(customer),
      await desk.opened(customer),
      await desk.opened(customer),
    ]
    const target = await desk.opened(customer, { categoryId: elsewhere })
    for (const ticketId of [first, second]) await assign(admin, ticketId, staff)
    await merge(admin, first, moving)
    await merge(admin, second, source)
    const links = async () =>
      (await bells(staff))
        .filter(({ text }) => text === 'ticket.assigned')
        .map((bell) => [bell.ticketId, bell.aboutTicketId])
    expect(await links()).toEqual([
      [second, undefined],
      [first, undefined],
    ])
    await moveTicket(desk.context(), { caller: admin, ticketId: moving, categoryId: elsewhere, requestId: 'moved' })
    await mergeTicket(desk.context(), {
      caller: admin,
      ticketId: source,
      intoId: target,
      key: systemIds.next(),
      requestId: 'moved',
    })
    expect(await links()).toEqual([
      [undefined, second],
      [undefined, first],
    ])
    const events = await desk.database.owner.query<{ id: string }>(
      `select payload->'message'->'data'->>'id' as id from control.outbox
       where request_id = 'moved' and payload->'message'->>'event' = 'ticket.update' and payload->'userIds' ? $1`,
      [staff.userId],
    )
    expect(events.map(({ id }) => id)).toEqual(expect.arrayContaining([first, second]))
    await desk.database.owner.query('delete from cms_api.ticket_staff where user_id = $1', [admin.userId])
  })

  it('loses its link for staff who work on a moved ticket no more, and keeps it for its customers, staff among them', async () => {
    const elsewhere = await desk.category()
    const admin = await desk.person({ isAdmin: true })
    const [customer, staff] = [await desk.person(), await desk.worker()]
    await desk.database.owner.query('insert into cms_api.ticket_staff values ($1, null)', [admin.userId])
    const ticketId = await desk.opened(customer)
    await add(admin, ticketId, staff)
    await assign(admin, ticketId, staff)
    await desk.say(staff, ticketId)
    await moveTicket(desk.context(), { caller: admin, ticketId, categoryId: elsewhere, requestId: 'req-1' })
    expect((await bells(staff)).map((bell) => [bell.text, bell.ticketId, bell.aboutTicketId])).toEqual([
      ['ticket.moved', undefined, ticketId],
      ['ticket.assigned', undefined, ticketId],
      ['ticket.added', ticketId, undefined],
    ])
    expect((await bells(customer)).map((bell) => [bell.text, bell.ticketId])).toEqual([['ticket.reply', ticketId]])
    await desk.database.owner.query('delete from cms_api.ticket_staff where user_id = $1', [admin.userId])
  })
})
