import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { identifierFrom } from '#domain/kernel/identifier.ts'
import { systemIds } from '#platform/ids.ts'
import type { NotificationMatrix } from '#contracts/http/notification-settings.ts'
import { changeNoticeSettings, readNoticeSettings } from '../../../control-plane/messages/notices/notice-settings.ts'
import { noticeWorld, type Anna, type NoticeWorld } from '../../factories/notice-world.ts'

let world: NoticeWorld
beforeAll(async () => {
  world = await noticeWorld()
})
beforeEach(() => {
  world.mails.length = 0
  world.pushes.received.length = 0
})
afterAll(() => world.close())

const choose = async (who: Anna, change: (matrix: NotificationMatrix) => void) => {
  const { matrix } = await readNoticeSettings(world.database.db, who, world.key.publicKey)
  change(matrix)
  await changeNoticeSettings(world.context(), { who, matrix })
}
/** A closed ticket of somebody with a reply whose mail is planned, or has left. They have read the reply, or not. */
const ticket = async ({ userId }: Anna, { isPlanned = true, isRead = false } = {}): Promise<string> => {
  const id = systemIds.next()
  const { owner } = world.database
  await owner.query(
    `insert into control.tickets (id, identifier, title, category_id, status, opener_id, created_at, moved_at, closed_at)
     values ($1, $4, 'Lag', $2, 'closed', $3, now(), now(), now())`,
    [id, systemIds.next(), userId, identifierFrom(systemIds.bytes(32))],
  )
  const [reply] = await owner.query<{ seq: bigint }>(
    `insert into control.ticket_messages (id, ticket_id, author_id, by_staff, kind, text, created_at)
     values ($1, $2, $3, true, 'message', 'Restart it', now()) returning seq`,
    [systemIds.next(), id, systemIds.next()],
  )
  await owner.query(
    'insert into control.ticket_mails (ticket_id, user_id, due_at, mailed_seq) values ($1, $2, $3, $4)',
    [id, userId, isPlanned ? new Date(world.clock.now() + 60_000) : null, isPlanned ? 0 : reply?.seq],
  )
  if (isRead)
    await owner.query('insert into control.ticket_reads (ticket_id, user_id, read_seq) values ($1, $2, $3)', [
      id,
      userId,
      reply?.seq,
    ])
  return id
}
const texts = () => world.pushes.received.map(({ text }) => JSON.parse(text) as Record<string, string>)

describe('the mail about a closed ticket', () => {
  const closed = (who: Anna, ticketId: string) =>
    world.notify(who, 'ticket.closed', { ticketId, title: 'Lag', person: 'kata', rates: true })

  it('leads to the ticket, where it is rated', async () => {
    const anna = await world.join({ language: 'hu' })
    const ticketId = await ticket(anna, { isPlanned: false })
    await world.tell(await closed(anna, ticketId))
    expect(world.mails).toMatchObject([{ language: 'hu', subject: 'Lezárt hibajegy: Lag' }])
    expect(world.mails[0]?.text).toContain(`https://host.example/dashboard/ticket/${ticketId}`)
    expect(world.mails[0]?.text.replaceAll(/\s+/gu, ' ')).toContain('egyetlen kattintással értékelheted')
  })

  it('says to its opener alone that they can reopen it, also once it was rated', async () => {
    const [anna, bela] = [await world.join(), await world.join()]
    const ticketId = await ticket(anna, { isPlanned: false })
    for (const who of [anna, bela])
      await world.tell(await world.notify(who, 'ticket.closed', { ticketId, title: 'Lag', person: 'kata' }))
    const said = world.mails.map(({ text }) => /reopen the ticket/.test(text.replaceAll(/\s+/gu, ' ')))
    expect(said).toEqual([true, false])
  })

  it('comes to somebody who has read the reply whose mail is still planned', async () => {
    const anna = await world.join()
    await world.tell(await closed(anna, await ticket(anna, { isRead: true })))
    expect(world.mails).toMatchObject([{ to: `${anna.userId}@example.com`, subject: 'Ticket closed: Lag' }])
  })

  it('is left to the mail about an unread reply that is due to the same person, if they want that one', async () => {
    const [anna, bela, cili] = [await world.join(), await world.join(), await world.join()]
    await world.subscribe(anna)
    await choose(bela, (matrix) => {
      matrix['ticket.reply'].mail = false
    })
    const ticketId = await ticket(anna)
    await world.tell(await closed(anna, ticketId))
    expect(world.mails).toEqual([])
    expect(texts()).toMatchObject([{ title: 'kata closed a ticket', path: `/dashboard/ticket/${ticketId}` }])
    await world.tell(await closed(bela, await ticket(bela)))
    await world.tell(await closed(cili, ticketId))
    expect(world.mails.map(({ to }) => to)).toEqual([`${bela.userId}@example.com`, `${cili.userId}@example.com`])
  })
})

describe('what staff hear of new tickets besides the bell', () => {
  it('is no mail unless they want it, and a push that names one ticket and counts several', async () => {
    const anna = await world.join()
    await world.subscribe(anna)
    const ticketId = systemIds.next()
    await world.tell(await world.notify(anna, 'ticket.opened', { ticketId, title: 'Lag', person: 'kata' }))
    await world.database.db.query('update control.notifications set read_at = now() where user_id = $1', [anna.userId])
    await choose(anna, (matrix) => {
      matrix['ticket.opened'].mail = true
    })
    await world.tell(await world.notify(anna, 'ticket.opened', { count: 4 }))
    expect(texts()).toMatchObject([
      { title: 'kata opened a ticket', body: 'Lag', path: `/admin/ticket/${ticketId}`, tag: 'new-tickets' },
      { title: '4 new tickets', path: '/admin/tickets', tag: 'new-tickets' },
    ])
    expect(world.mails.map(({ subject }) => subject)).toEqual(['4 new tickets'])
  })

  it('is nothing once they see the ticket no more', async () => {
    const anna = await world.join()
    await world.subscribe(anna)
    await choose(anna, (matrix) => {
      matrix['ticket.opened'].mail = true
    })
    const about = { aboutTicketId: systemIds.next(), title: 'Lag', person: 'kata' }
    await world.tell(await world.notify(anna, 'ticket.opened', about))
    await world.tell(await world.notify(anna, 'ticket.assigned', about))
    expect([world.mails.length, world.pushes.received.length]).toEqual([0, 0])
  })
})
