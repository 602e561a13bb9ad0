import { afterAll, beforeAll, expect, it } from 'vitest'
import { hostileMails } from '../../factories/hostile-mails.ts'
import { letter, placed } from '../../factories/letters.ts'
import { MailDesk } from '../../factories/mail-desk.ts'

let mails: MailDesk
beforeAll(async () => {
  mails = await MailDesk.open()
})
afterAll(() => mails.close())

it('more than 200 hostile mails change nothing and stop nothing', async () => {
  const [customer, other] = [await mails.customer(), await mails.customer()]
  const ticketId = await mails.desk.opened(customer.caller)
  const otherTicket = await mails.desk.opened(other.caller)
  const to = await mails.replyTo(customer.caller, ticketId)
  const forged = [await mails.replyTo(other.caller, otherTicket), await mails.replyTo(other.caller, ticketId)]
  const hostile = hostileMails({ to, from: customer.address, forged })
  expect(hostile.length).toBeGreaterThan(200)
  mails.waiting = [
    ...hostile.map(({ source }) => placed(source)),
    placed(letter({ to, from: other.address, body: 'From the wrong one' })),
  ]
  const places = [...mails.waiting]
  await mails.reader()()
  expect(mails.waiting).toEqual([])
  const outcomes = await Promise.all(places.map(async (mail) => (await mails.outcomeOf(mail))?.outcome))
  const through = hostile.filter((_, at) => outcomes[at] === 'message' || outcomes[at] === 'bounce')
  expect(through.map(({ name }) => name)).toEqual([])
  const { db } = mails.desk.database
  expect(
    await db.query('select 1 from control.ticket_messages where ticket_id = any ($1)', [[ticketId, otherTicket]]),
  ).toHaveLength(2)
  expect(await db.query('select 1 from control.mail_suppressions')).toEqual([])
  expect(
    await db.query('select 1 from control.mails where recipient not like $1 group by recipient having count(*) > 1', [
      '%@host.example',
    ]),
  ).toEqual([])
  // The sender's own mail still comes through afterwards, once the hour of the flood in their name is over.
  mails.desk.nowMs += 3_700_000
  mails.waiting = [placed(letter({ to, from: customer.address, body: 'Honest' }))]
  await mails.reader()()
  expect((await mails.messages(ticketId)).at(-1)?.text).toBe('Honest')
})
