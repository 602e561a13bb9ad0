import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { systemIds } from '#platform/ids.ts'
import { readTicketUpTo } from '../../../control-plane/tickets/change-ticket.ts'
import { mailReplies } from '../../../control-plane/tickets/mail/reply-mails.ts'
import { addTicketPerson, removeTicketPerson } from '../../../control-plane/tickets/manage-ticket.ts'
import { mergeTicket } from '../../../control-plane/tickets/merge-ticket.ts'
import type { TicketCaller } from '../../../control-plane/tickets/reach-ticket.ts'
import { viewTicket } from '../../../control-plane/tickets/view-ticket.ts'
import { letter, placed } from '../../factories/letters.ts'
import { MailDesk } from '../../factories/mail-desk.ts'

const requestId = 'req-1'
let mails: MailDesk
let staff: TicketCaller
let customer: { caller: TicketCaller; address: string }
/** The ticket that is merged, and the one that takes it. */
let source: string
let target: string
beforeAll(async () => {
  mails = await MailDesk.open()
  staff = await mails.desk.worker()
})
beforeEach(async () => {
  customer = await mails.customer()
  source = await mails.desk.opened(customer.caller, { title: 'Lag', message: 'It lags' })
  target = await mails.desk.opened(customer.caller, { title: 'Slow', message: 'It is slow' })
})
afterAll(() => mails.close())

const db = () => mails.desk.database.db
const merged = async (ticketId = source) => {
  const asked = { caller: staff, ticketId, intoId: target, key: systemIds.next(), requestId }
  const result = await mergeTicket(mails.desk.context(), asked)
  if (!result.ok) throw new Error(result.code)
}

const isWaited = async () => {
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(() => mails.desk.database.owner.query(waiting), { timeout: 30_000 }).toHaveLength(1)
}

it('a mail to the address of a merged ticket is a message of the target, once, also at a new place', async () => {
  await mails.desk.say(staff, source, { text: 'Which server?' })
  mails.desk.nowMs += 4 * 60_000
  await mailReplies(mails.deps())
  const to = await mails.replyTo(customer.caller, source)
  const early = letter({ to, from: customer.address, body: 'Early', messageId: '<early@example.test>' })
  expect(await mails.take(early)).toMatchObject({ outcome: 'message', ticket_id: source })
  await merged()
  const late = letter({ to, from: customer.address, body: 'The blue one' })
  expect(await mails.take(late)).toMatchObject({ outcome: 'message', ticket_id: target })
  expect(await mails.take(early, { uidValidity: 9n })).toMatchObject({ outcome: 'repeated' })
  expect((await mails.messages(target)).map(({ text }) => text)).toEqual(['It is slow', 'The blue one'])
  expect((await mails.messages(source)).map(({ text }) => text)).toEqual(['It lags', 'Which server?', 'Early'])
  // A person who is removed from the target can write in neither ticket.
  const friend = await mails.customer()
  const added = { caller: staff, ticketId: target, requestId, userId: friend.caller.userId }
  await addTicketPerson(mails.desk.context(), added)
  const theirs = await mails.replyTo(friend.caller, source)
  await removeTicketPerson(mails.desk.context(), added)
  expect(await mails.take(letter({ to: theirs, from: friend.address, body: 'Me too' }))).toMatchObject({
    outcome: 'unmatched',
  })
})

it('a ticket that is merged while a mail to it is read takes it at the next reading, in the target', async () => {
  const to = await mails.replyTo(customer.caller, source)
  mails.waiting = [placed(letter({ to, from: customer.address, body: 'Between' }))]
  // The row of the ticket is held by a merge from before the mail is read until after it was matched.
  await db()
    .transaction(async (tx) => {
      await tx.query('select 1 from control.tickets where id = $1 for update', [source])
      const reading = mails.reader()()
      await isWaited()
      await tx.query(
        `update control.tickets set status = 'closed', closed_at = now(), waiting_since = null, merged_into = $2 where id = $1`,
        [source, target],
      )
      return { reading }
    })
    .then(({ reading }) => reading)
  expect(mails.waiting).toHaveLength(1)
  mails.desk.nowMs += 6 * 60_000
  await mails.reader()()
  expect(mails.waiting).toEqual([])
  expect((await mails.messages(target)).at(-1)?.text).toBe('Between')
})
it('a reply that nobody read is mailed although its reader wrote in the target before the merge', async () => {
  await mails.desk.say(staff, source, { text: 'Which server?' })
  await mails.desk.say(customer.caller, target, { text: 'It is slow here, too' })
  await merged()
  mails.desk.nowMs += 4 * 60_000
  await mailReplies(mails.deps())
  expect((await mails.mailsTo(customer.address)).map(({ kind }) => kind)).toEqual(['ticket.reply'])
})

it('replies from before a merge are mailed unless they were read in the target, and lead there', async () => {
  await mails.desk.say(staff, source, { text: 'Which server?' })
  await merged()
  mails.desk.nowMs += 4 * 60_000
  await mailReplies(mails.deps())
  expect((await mails.mailsTo(customer.address)).map(({ kind }) => kind)).toEqual(['ticket.reply'])
  const second = await mails.desk.opened(customer.caller)
  await mails.desk.say(staff, second, { text: 'And now?' })
  await merged(second)
  const shown = await viewTicket(mails.desk.context(), { caller: customer.caller, ticketId: target })
  const newest = shown.ok ? shown.view.messages.at(-1)?.id : undefined
  await readTicketUpTo(mails.desk.context(), { caller: customer.caller, ticketId: target, upTo: newest ?? '' })
  mails.desk.nowMs += 4 * 60_000
  await mailReplies(mails.deps())
  expect(await mails.mailsTo(customer.address)).toHaveLength(1)
})
