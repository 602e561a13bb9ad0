import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { contentOf } from '../../../control-plane/messages/inbox/mail-content.ts'
import type { MailParser } from '../../../control-plane/messages/inbox/mail-parser.ts'
import type { TicketCaller } from '../../../control-plane/tickets/reach-ticket.ts'
import { listTickets } from '../../../control-plane/tickets/read-tickets.ts'
import { letter, placed } from '../../factories/letters.ts'
import { MailDesk } from '../../factories/mail-desk.ts'
import { StandingPlace, toldMailParser } from '../../support/told-mail-parser.ts'

let mails: MailDesk
let parser: MailParser
let place: StandingPlace
let customer: { caller: TicketCaller; address: string }
let ticketId: string
let to: string
beforeAll(async () => {
  mails = await MailDesk.open()
})
beforeEach(async () => {
  parser = toldMailParser()
  place = new StandingPlace()
  mails.readContent = parser.read
  mails.waiting = []
  customer = await mails.customer()
  ticketId = await mails.desk.opened(customer.caller)
  to = await mails.replyTo(customer.caller, ticketId)
})
afterEach(async () => {
  await parser.close()
  place.remove()
})
afterAll(() => mails.close())

const write = (body: string) => placed(letter({ to, from: customer.address, body }))
const said = async () => (await mails.messages(ticketId)).map(({ text }) => text)

it('somebody else is answered while a mail is parsed', async () => {
  mails.waiting = [write(place.words)]
  const reading = mails.reader()()
  await place.reached()
  const listed = await listTickets(mails.desk.database.db, { caller: customer.caller })
  expect([listed.map(({ id }) => id), await said()]).toEqual([[ticketId], ['Please']])
  place.goOn()
  await reading
  expect(await said()).toEqual(['Please', place.words])
})

it('a mail at which the thread dies stays in the mailbox, stops no other one, and is read later', async () => {
  const deadly = write('please die')
  mails.waiting = [deadly, write('The next one')]
  const read = mails.reader()
  await read()
  expect([mails.waiting, await said()]).toEqual([[deadly], ['Please', 'The next one']])
  mails.readContent = contentOf
  mails.desk.nowMs += 5 * 60_000
  await read()
  await read()
  expect([mails.waiting, await said()]).toEqual([[], ['Please', 'The next one', 'please die']])
})

it('a mail that takes too much counts as one that cannot be parsed, and the next one is read', async () => {
  const greedy = write('please fill the memory')
  mails.waiting = [greedy, write('The next one')]
  await mails.reader()()
  expect([await mails.outcomeOf(greedy), mails.waiting, await said()]).toMatchObject([
    { outcome: 'unreadable', answered: false },
    [],
    ['Please', 'The next one'],
  ])
})

it('a mail that is not read when the control plane stops stays in the mailbox and counts as no failure', async () => {
  const failures = async () =>
    (await mails.metrics.receivedMails.get()).values.find((each) => each.labels.outcome === 'failed')?.value ?? 0
  const before = await failures()
  mails.waiting = [write(place.words), write('The next one')]
  const waiting = [...mails.waiting]
  const reading = mails.reader()()
  await place.reached()
  await parser.close()
  await reading
  expect([mails.waiting, await failures(), await said()]).toEqual([waiting, before, ['Please']])
  mails.readContent = contentOf
  await mails.reader()()
  expect(await said()).toEqual(['Please', place.words, 'The next one'])
})
