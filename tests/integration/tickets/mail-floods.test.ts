import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { TicketCaller } from '../../../control-plane/tickets/reach-ticket.ts'
import { letterWithFiles } from '../../factories/letters.ts'
import { MailDesk } from '../../factories/mail-desk.ts'
import { promisedPng } from '../../support/hostile-pictures.ts'

let mails: MailDesk
let customer: { caller: TicketCaller; address: string }
let ticketId: string
let to: string
beforeAll(async () => {
  mails = await MailDesk.open()
})
beforeEach(async () => {
  ;({ customer, ticketId, to } = await mails.mailedTicket())
})
afterAll(() => mails.close())

const photo = () => ({
  type: 'image/jpeg',
  name: 'image0.jpeg',
  bytes: Buffer.concat([Buffer.from(promisedPng(4, 4)), randomBytes(16)]),
})
const outcomeOf = async (files: Parameters<typeof letterWithFiles>[0]) =>
  (await mails.take(letterWithFiles(files, { to, from: customer.address, body: '' })))?.outcome

it('four different pictures under the same name are four messages, the same one four times is a loop', async () => {
  const outcomes: unknown[] = []
  for (let at = 0; at < 4; at += 1) outcomes.push(await outcomeOf([photo()]))
  expect(outcomes).toEqual(Array.from({ length: 4 }, () => 'message'))
  const same = photo()
  const repeated: unknown[] = []
  for (let at = 0; at < 4; at += 1) repeated.push(await outcomeOf([same]))
  expect(repeated).toEqual(['message', 'message', 'message', 'loop'])
})

it('ten of two hundred damaged pictures are looked at, and all are named as refused', async () => {
  let calls = 0
  mails.rewritePicture = () => {
    calls += 1
    return Promise.resolve(null)
  }
  expect(await outcomeOf(Array.from({ length: 200 }, photo))).toBe('message')
  expect(calls).toBe(10)
  expect((await mails.messages(ticketId)).at(-1)?.text).toContain('were not added: image0.jpeg, image0.jpeg')
})

it('files for which their sender has no more room are named as refused, and those that fit are kept', async () => {
  await mails.desk.filled(customer.caller, { leaving: 15 })
  const log = (name: string, bytes: string) => ({ type: 'text/plain', name, bytes })
  const files = [log('long.txt', 'sixteen letters.'), log('short.txt', '10 letters'), log('last.txt', '6 more')]
  expect(await outcomeOf(files)).toBe('message')
  const message = (await mails.messages(ticketId)).at(-1)
  const kept = await mails.desk.database.db.query<{ name: string }>(
    'select name from control.ticket_attachments where message_id = $1 order by place',
    [message?.id],
  )
  expect(kept).toEqual([{ name: 'short.txt' }])
  expect(message?.text).toContain('were not added: long.txt, last.txt.')
  expect(message?.text).toContain('With them the sender would exceed the 500 MB that fit in 30 days.')
})
