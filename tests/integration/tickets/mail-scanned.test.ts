import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { InboxMail } from '../../../control-plane/messages/inbox/mail-inbox.ts'
import type { TicketCaller } from '../../../control-plane/tickets/reach-ticket.ts'
import { letter, letterWithFiles, placed, type Part } from '../../factories/letters.ts'
import { MailDesk } from '../../factories/mail-desk.ts'
import { ScannerInMemory } from '../../factories/virus-scanners.ts'
import { EICAR } from '../../support/eicar.ts'
import { promisedPng } from '../../support/hostile-pictures.ts'

let mails: MailDesk
let scanner: ScannerInMemory
let customer: { caller: TicketCaller; address: string }
let ticketId: string
let to: string
beforeAll(async () => {
  mails = await MailDesk.open()
})
beforeEach(async () => {
  scanner = new ScannerInMemory()
  mails.desk.scanner = scanner
  mails.rewritePicture = (bytes) => Promise.resolve(bytes)
  mails.waiting = []
  mails.faults = async () => {}
  customer = await mails.customer()
  ticketId = await mails.desk.opened(customer.caller)
  to = await mails.replyTo(customer.caller, ticketId)
})
afterAll(() => mails.close())

const log = (name: string, bytes: string): Part => ({ type: 'text/plain', name, bytes })
const write = (parts: readonly Part[], body = 'See the files.') =>
  placed(letterWithFiles(parts, { to, from: customer.address, body }))
const said = async () => (await mails.messages(ticketId)).map(({ text }) => text).slice(1)
const keptFiles = () =>
  mails.desk.database.db.query<{ name: string; bytes: Buffer }>(
    `select a.name, a.bytes from control.ticket_attachments a join control.ticket_messages m on m.id = a.message_id
     where m.ticket_id = $1 order by a.place`,
    [ticketId],
  )
const names = async () => (await keptFiles()).map(({ name }) => name)

it.each([
  ['en', 'Our virus scanner stopped a.log, b.png.'],
  ['hu', 'A víruskeresőnk kiszűrte: a.log, b.png.'],
  ['de', 'Unser Virenscanner hat a.log, b.png gestoppt.'],
])('files with a virus are not kept, and named to everybody (%s)', async (language, sentence) => {
  await mails.desk.database.owner.query('update cms_api.people set language = $2 where id = $1', [
    customer.caller.userId,
    language,
  ])
  const picture = { type: 'image/png', name: 'b.png', bytes: Buffer.concat([promisedPng(4, 4), Buffer.from(EICAR)]) }
  mails.waiting = [write([log('a.log', EICAR), picture, log('c.log', 'It stops'), log('d.exe', '\0')])]
  await mails.reader()()
  const [text = ''] = await said()
  expect([await names(), text.includes('a.log, b.png, d.exe'), text.endsWith(sentence)]).toEqual([
    ['c.log'],
    true,
    true,
  ])
})

it('a picture is scanned as it came, and what is encoded anew is kept', async () => {
  const [sent, encoded] = [Buffer.concat([promisedPng(4, 4), Buffer.from('as it came')]), promisedPng(5, 5)]
  mails.rewritePicture = () => Promise.resolve(encoded)
  mails.waiting = [write([{ type: 'image/png', name: 'a.png', bytes: sent }])]
  await mails.reader()()
  expect([scanner.seen, (await keptFiles()).map(({ bytes }) => bytes)]).toEqual([[sent], [Buffer.from(encoded)]])
})

it('a file for which the scanner is too small is named too, and its mail does not wait', async () => {
  scanner.largest = 10
  mails.waiting = [write([log('short.log', 'short'), log('long.log', 'more than ten letters')])]
  await mails.reader()()
  expect([await names(), (await said())[0]?.endsWith('Our virus scanner stopped long.log.'), mails.waiting]).toEqual([
    ['short.log'],
    true,
    [],
  ])
})

it('a mail waits while there is no verdict, those without files do not, and it becomes one message later', async () => {
  scanner.fault = 'UNREACHABLE'
  const waiting = write([log('a.log', 'It stops'), log('b.log', EICAR)])
  mails.waiting = [waiting, placed(letter({ to, from: customer.address, body: 'Without a file' }))]
  const read = mails.reader()
  await read()
  expect([mails.waiting, await said(), await names()]).toEqual([[waiting], ['Without a file'], []])
  scanner.fault = null
  mails.desk.nowMs += 5 * 60_000
  await read()
  await read()
  expect([mails.waiting, (await said()).length, await names()]).toEqual([[], 2, ['a.log']])
})

it('a scanner that says nothing is asked once in a visit, and again in the next one', async () => {
  scanner.fault = 'LATE'
  const waiting = [log('a.log', 'one'), log('b.log', 'two'), log('c.log', 'three')].map((file) => write([file]))
  mails.waiting = [...waiting, placed(letter({ to, from: customer.address, body: 'Behind them' }))]
  const read = mails.reader()
  await read()
  expect([scanner.seen.map(String), mails.waiting, await said()]).toEqual([['one'], waiting, ['Behind them']])
  scanner.fault = null
  mails.desk.nowMs += 5 * 60_000
  await read()
  expect([mails.waiting, await names()]).toEqual([[], ['a.log', 'b.log', 'c.log']])
})

it('the whole text that goes along as a file is scanned as well', async () => {
  mails.waiting = [placed(letter({ to, from: customer.address, body: `${'word '.repeat(10_000)}${EICAR}` }))]
  await mails.reader()()
  expect([await names(), (await said())[0]?.endsWith('Our virus scanner stopped e-mail.txt.')]).toEqual([[], true])
})

const file = () => log('a.log', 'x')
const close = () =>
  mails.desk.database.owner.query(
    `update control.tickets set status = 'closed', closed_at = to_timestamp($2 / 1000.0) where id = $1`,
    [ticketId, mails.desk.nowMs],
  )
it.each<[string, string, () => Promise<InboxMail> | InboxMail]>([
  ['a stranger', 'unmatched', () => placed(letterWithFiles([file()], { to, from: 'eve@evil.example' }))],
  [
    'somebody who was removed',
    'unmatched',
    async () => {
      const friend = await mails.customer()
      return placed(
        letterWithFiles([file()], { to: await mails.replyTo(friend.caller, ticketId), from: friend.address }),
      )
    },
  ],
  [
    'a program',
    'automatic',
    () => placed(letterWithFiles([file()], { to, from: customer.address, headers: ['Auto-Submitted: auto-replied'] })),
  ],
  [
    'somebody who wrote the same before',
    'repeated',
    async () => {
      const again = letterWithFiles([file()], { to, from: customer.address, messageId: '<same@example.test>' })
      await mails.take(again)
      scanner.seen.length = 0
      return placed(again)
    },
  ],
  ['somebody whose ticket is closed', 'closed', async () => (await close(), write([file()]))],
])('the files of %s are not scanned, and their mail waits for no scanner', async (_who, outcome, mail) => {
  const waiting = await mail()
  scanner.fault = 'UNREACHABLE'
  mails.waiting = [waiting]
  await mails.reader()()
  expect([scanner.seen, mails.waiting, (await mails.outcomeOf(waiting))?.outcome]).toEqual([[], [], outcome])
})

it('a mail whose ticket is reopened while it is read comes through with its files later', async () => {
  let isReopened = false
  await close()
  mails.waiting = [write([file()])]
  mails.faults = async (point) => {
    if (point === 'inbox.read' && !isReopened)
      await mails.desk.database.owner.query(
        `update control.tickets set status = 'open', closed_at = null where id = $1`,
        [ticketId],
      )
  }
  const read = mails.reader()
  await read()
  expect([mails.waiting.length, await said(), await names()]).toEqual([1, [], []])
  isReopened = true
  mails.desk.nowMs += 5 * 60_000
  await read()
  expect([mails.waiting, (await said()).length, await names()]).toEqual([[], 1, ['a.log']])
})
