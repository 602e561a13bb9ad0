import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemIds } from '#platform/ids.ts'
import { markNotificationsRead } from '../../../control-plane/messages/notices/mark-notices.ts'
import { listNotifications } from '../../../control-plane/messages/notices/read-notices.ts'
import { closeOrReopen } from '../../../control-plane/tickets/change-ticket.ts'
import { assignTicket, deleteTicket, moveTicket } from '../../../control-plane/tickets/manage-ticket.ts'
import { mergeTicket } from '../../../control-plane/tickets/merge-ticket.ts'
import { openTicket } from '../../../control-plane/tickets/open-ticket.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { tellNewTicket } from '../../../control-plane/tickets/tell-new-ticket.ts'
import type { TicketCaller } from '../../../control-plane/tickets/reach-ticket.ts'
import { TicketDesk } from '../../factories/ticket-desk.ts'
import { waitFor } from '../../support/wait-for.ts'

let desk: TicketDesk
beforeAll(async () => {
  desk = await TicketDesk.open()
})
afterAll(() => desk.close())

const listed = ({ userId }: TicketCaller) => listNotifications(desk.database.db, { userId })
const bells = async (who: TicketCaller) =>
  (await listed(who)).map(({ text, data }) =>
    Object.fromEntries(Object.entries({ text, ...data }).filter(([name]) => name !== 'replaces')),
  )
const rows = async (topic: string, { userId }: TicketCaller) =>
  desk.database.owner.query<{ payload: { message?: { data: { id: string; data: object } } } }>(
    `select payload from control.outbox o where topic = $1 and (payload->'userIds' ? $2 and payload->'message'->>'event' = 'notification.new'
       or exists (select 1 from control.notifications n where n.user_id = $2::uuid and n.id::text = o.payload->>'notificationId'))
     order by id`,
    [topic, userId],
  )
const named = async ({ userId }: TicketCaller) => {
  const [row] = await desk.database.owner.query<{ username: string }>(
    'select username from cms_api.people where id = $1',
    [userId],
  )
  return row?.username
}
/** A category of its own with somebody who works there, so that no other test rings. */
const place = async () => {
  const categoryId = await desk.category()
  return { categoryId, staff: await desk.worker(categoryId) }
}
const administrator = async () => {
  const admin = await desk.person({ isAdmin: true })
  await desk.database.owner.query('insert into cms_api.ticket_staff values ($1, null)', [admin.userId])
  return {
    ...admin,
    leave: () => desk.database.owner.query('delete from cms_api.ticket_staff where user_id = $1', [admin.userId]),
  }
}
const look = async (who: TicketCaller) => {
  const [newest] = await listed(who)
  await markNotificationsRead(desk.context(), { userId: who.userId, upTo: newest?.id ?? '', requestId: 'req-1' })
}
/** So many wait for a lock in this database. */
const waiting = (count: number) =>
  waitFor(`${count} who wait for a lock`, async () => {
    const [row] = await desk.database.owner.query<{ count: number }>(
      `select count(distinct pid)::integer as count from pg_locks
       where not granted and pid in (select a.pid from pg_stat_activity a where a.datname = current_database())`,
    )
    return row?.count === count
  })
const move = (caller: TicketCaller, ticketId: string, categoryId: string) =>
  moveTicket(desk.context(), { caller, ticketId, categoryId, requestId: 'req-1' })

describe('a new ticket', () => {
  it('rings the bells of support with its category and of administrators, once for each key, and of nobody else', async () => {
    const { categoryId, staff } = await place()
    const [customer, admin, elsewhere] = [await desk.person(), await administrator(), (await place()).staff]
    const opening = {
      caller: { ...customer, isVerified: true },
      request: { title: 'Lag', categoryId, message: 'Please' },
      key: systemIds.next(),
      requestId: 'req-1',
    }
    await Promise.all([openTicket(desk.context(), opening), openTicket(desk.context(), opening)])
    const opened = await openTicket(desk.context(), opening)
    await admin.leave()
    const ticketId = opened.ok ? opened.answer.ticketId : ''
    const rung = { text: 'ticket.opened', ticketId, title: 'Lag', person: await named(customer) }
    expect([await bells(staff), await bells(admin)]).toEqual([[rung], [rung]])
    expect([await bells(customer), await bells(elsewhere)]).toEqual([[], []])
    expect((await rows('browser-event', staff)).length).toBe(1)
  })

  it('rings no member of staff who opened it, is suspended, erased or has the category no more', async () => {
    const { categoryId, staff } = await place()
    const [suspended, erased, former] = [
      await desk.worker(categoryId),
      await desk.worker(categoryId),
      await desk.worker(categoryId),
    ]
    const { owner } = desk.database
    await owner.query('insert into cms_api.suspended_people values ($1)', [suspended.userId])
    await owner.query('insert into cms_api.erased_people values ($1)', [erased.userId])
    await owner.query('delete from cms_api.ticket_staff where user_id = $1', [former.userId])
    await desk.opened(staff, { categoryId })
    for (const who of [staff, suspended, erased, former]) expect(await bells(who)).toEqual([])
  })

  it('is counted in the one unread bell, without the title of any, and told once besides the bell', async () => {
    const { categoryId, staff } = await place()
    const customer = await desk.person()
    for (const title of ['One', 'Two', 'Three']) await desk.opened(customer, { categoryId, title })
    expect(await bells(staff)).toEqual([{ text: 'ticket.opened', count: 3 }])
    // Each ring says to the open pages which one it stands for.
    const rings = (await rows('browser-event', staff)).flatMap(({ payload: { message } }) => message?.data ?? [])
    expect(rings.map(({ data }) => ('replaces' in data ? data.replaces : null))).toEqual([
      null,
      rings[0]?.id,
      rings[1]?.id,
    ])
    expect((await rows('notice-tell', staff)).length).toBe(1)
  })

  it('is not told besides the bell while the first one has been, and is again once somebody looked', async () => {
    const { categoryId, staff } = await place()
    const customer = await desk.person()
    await desk.opened(customer, { categoryId })
    await desk.database.owner.query('update control.notifications set told_at = now() where user_id = $1', [
      staff.userId,
    ])
    await desk.opened(customer, { categoryId })
    expect((await rows('notice-tell', staff)).length).toBe(0)
    await look(staff)
    const ticketId = await desk.opened(customer, { categoryId, title: 'Later' })
    expect(await bells(staff)).toEqual([
      { text: 'ticket.opened', ticketId, title: 'Later', person: await named(customer) },
      { text: 'ticket.opened', count: 2 },
    ])
    expect((await rows('notice-tell', staff)).length).toBe(1)
  })

  it('is counted right when many are opened at once, and stands unread beside what was read meanwhile', async () => {
    const { categoryId, staff } = await place()
    const colleagues = [await desk.worker(categoryId), await desk.worker(categoryId)]
    const customers = [await desk.person(), await desk.person(), await desk.person(), await desk.person()]
    await Promise.all(
      customers.flatMap((customer) => [desk.opened(customer, { categoryId }), desk.opened(customer, { categoryId })]),
    )
    for (const who of [staff, ...colleagues]) expect(await bells(who)).toEqual([{ text: 'ticket.opened', count: 8 }])
    const [seen] = await listed(staff)
    await desk.opened(customers[0] ?? staff, { categoryId })
    // They had the list before the ninth ticket came.
    await markNotificationsRead(desk.context(), { userId: staff.userId, upTo: seen?.id ?? '', requestId: 'req-1' })
    expect((await listed(staff)).map(({ data, readAt }) => [data.count, readAt])).toEqual([[9, null]])
  })

  it('stands before every bell that was written while it waited for them', async () => {
    const { categoryId, staff } = await place()
    const [customer, other] = [await desk.person(), await desk.person()]
    const context = desk.context()
    const ring = (tx: Sql) => {
      const ticket = { id: systemIds.next(), title: 'Lag', openerId: other.userId }
      return tellNewTicket(tx, context, { ticket, userIds: [staff.userId], requestId: 'req-1' })
    }
    const idOf = async (sql: Sql) => {
      const [bell] = await sql.query<{ id: string }>('select id from control.notifications where user_id = $1', [
        staff.userId,
      ])
      return bell?.id ?? ''
    }
    let opening: Promise<string> | undefined
    const before = await desk.database.db.transaction(async (tx) => {
      await ring(tx)
      opening = desk.opened(customer, { categoryId })
      await waiting(1)
      await ring(tx)
      return idOf(tx)
    })
    await opening
    expect((await idOf(desk.database.db)) > before).toBe(true)
    expect(await bells(staff)).toEqual([{ text: 'ticket.opened', count: 3 }])
  })

  it('takes its bell along when it is deleted; a bell that counts others stays', async () => {
    const { categoryId, staff } = await place()
    const { categoryId: second, staff: colleague } = await place()
    const [customer, admin] = [await desk.person(), await desk.person({ isAdmin: true })]
    const [one, two] = [
      await desk.opened(customer, { categoryId }),
      await desk.opened(customer, { categoryId: second }),
    ]
    await desk.opened(customer, { categoryId: second })
    for (const ticketId of [one, two])
      await deleteTicket(desk.context(), { caller: admin, ticketId, requestId: 'req-1' })
    expect(await bells(staff)).toEqual([])
    expect(await bells(colleague)).toEqual([{ text: 'ticket.opened', count: 2 }])
  })

  it('whose pushes were written before the next one came keeps them with its bell', async () => {
    const { categoryId, staff } = await place()
    const customer = await desk.person()
    await desk.opened(customer, { categoryId })
    const { owner } = desk.database
    const [subscriptionId, messageId] = [systemIds.next(), systemIds.next()]
    await owner.query(
      `insert into control.push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth, created_at, seen_at)
       values ($1::uuid, $2, $3, 'https://push.example.com/' || $1::text, '', '', now(), now())`,
      [subscriptionId, staff.userId, systemIds.next()],
    )
    await owner.query(
      `insert into control.push_messages (id, notification_id, subscription_id, next_try_at, expires_at, request_id, created_at)
       select $1, n.id, $2, now(), now(), 'req-1', now() from control.notifications n where n.user_id = $3`,
      [messageId, subscriptionId, staff.userId],
    )
    await desk.opened(customer, { categoryId })
    const [bell] = await listed(staff)
    expect(await owner.query('select notification_id from control.push_messages where id = $1', [messageId])).toEqual([
      { notification_id: bell?.id },
    ])
  })
})

describe('a ticket that moves to another category', () => {
  it('is new to those who see it now and did not before, and no link to those who see it no more', async () => {
    const [from, to] = [await place(), await place()]
    const [customer, both, admin] = [await desk.person(), await desk.worker(from.categoryId), await administrator()]
    await desk.database.owner.query('insert into cms_api.ticket_staff values ($1, $2)', [both.userId, to.categoryId])
    const ticketId = await desk.opened(customer, { categoryId: from.categoryId, title: 'Lag' })
    await Promise.all([move(both, ticketId, to.categoryId), move(both, ticketId, to.categoryId)])
    await admin.leave()
    const about = { title: 'Lag', person: await named(customer) }
    expect(await bells(to.staff)).toEqual([{ text: 'ticket.opened', ticketId, ...about }])
    expect(await bells(from.staff)).toEqual([{ text: 'ticket.opened', aboutTicketId: ticketId, ...about }])
    // They saw it before, and see it now.
    for (const who of [both, admin]) expect(await bells(who)).toEqual([{ text: 'ticket.opened', ticketId, ...about }])
  })

  it('moves while another one moves the other way, and neither ends the other', async () => {
    // In each category the first one counts, and the second one has the bell that loses its link.
    const [from, to] = [await place(), await place()]
    const [seen, named] = [await desk.worker(from.categoryId), await desk.worker(to.categoryId)]
    const customer = await desk.person()
    const both = await administrator()
    await both.leave()
    const [one, two] = [
      await desk.opened(customer, { categoryId: from.categoryId }),
      await desk.opened(customer, { categoryId: to.categoryId }),
    ]
    const { db, owner } = desk.database
    await owner.query(
      `update control.notifications set data = '{"count": 2}' where user_id = any ($1) and text = 'ticket.opened'`,
      [[from.staff.userId, to.staff.userId]],
    )
    // After a deadlock a transaction is run again.
    let runs = 0
    const counting: typeof db = {
      ...db,
      transaction: (work) =>
        db.transaction((tx) => {
          runs += 1
          return work(tx)
        }),
    }
    const counted = { ...desk.context(), db: counting }
    let moves: Promise<unknown>[] = []
    await db.transaction(async (tx) => {
      await tx.query('select 1 from control.notifications where user_id = any ($1) order by user_id for update', [
        [from.staff.userId, to.staff.userId],
      ])
      moves = [
        moveTicket(counted, { caller: both, ticketId: one, categoryId: to.categoryId, requestId: 'req-1' }),
        moveTicket(counted, { caller: both, ticketId: two, categoryId: from.categoryId, requestId: 'req-1' }),
      ]
      await waiting(2)
    })
    expect([await Promise.all(moves), runs]).toEqual([[{ ok: true }, { ok: true }], 2])
    expect([(await bells(seen))[0]?.count, (await bells(named))[0]?.count]).toEqual([2, 2])
  })

  it('rings nobody when it is closed, or when somebody has it', async () => {
    const [from, to] = [await place(), await place()]
    const [customer, both] = [await desk.person(), await desk.worker(from.categoryId)]
    await desk.database.owner.query('insert into cms_api.ticket_staff values ($1, $2)', [both.userId, to.categoryId])
    const [closed, taken] = [
      await desk.opened(customer, { categoryId: from.categoryId }),
      await desk.opened(customer, { categoryId: from.categoryId }),
    ]
    await closeOrReopen(desk.context(), { caller: both, ticketId: closed, requestId: 'req-1', act: 'close' })
    const whose = { userId: both.userId, seen: null }
    await assignTicket(desk.context(), { caller: both, ticketId: taken, ...whose, requestId: 'req-1' })
    for (const ticketId of [closed, taken]) await move(both, ticketId, to.categoryId)
    expect(await bells(to.staff)).toEqual([])
  })

  it('leads nobody to a merged ticket that they see no more', async () => {
    const [from, to] = [await place(), await place()]
    const [customer, both] = [await desk.person(), await desk.worker(from.categoryId)]
    await desk.database.owner.query('insert into cms_api.ticket_staff values ($1, $2)', [both.userId, to.categoryId])
    const ticketId = await desk.opened(customer, { categoryId: from.categoryId })
    const intoId = await desk.opened(customer, { categoryId: to.categoryId })
    await mergeTicket(desk.context(), { caller: both, ticketId, intoId, key: systemIds.next(), requestId: 'req-1' })
    expect(await bells(from.staff)).toMatchObject([{ text: 'ticket.opened', aboutTicketId: ticketId }])
    expect((await bells(from.staff))[0]).not.toHaveProperty('ticketId')
  })
})
