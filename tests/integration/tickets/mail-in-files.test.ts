import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { TicketCaller } from '../../../control-plane/tickets/reach-ticket.ts'
import { ATTACHMENT_BOUNDS } from '#domain/tickets/attachment.ts'
import { letter, letterWithFiles } from '../../factories/letters.ts'
import { MailDesk } from '../../factories/mail-desk.ts'
import { promisedPng } from '../../support/hostile-pictures.ts'

const PNG = promisedPng(4, 4)

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

const write = (changes: Parameters<typeof letter>[0] = {}) => letter({ to, from: customer.address, ...changes })

it('files go by their bytes: pictures are encoded anew, and what is refused is named to everybody', async () => {
  mails.rewritePicture = () => Promise.resolve(Buffer.concat([Buffer.from(PNG), Buffer.from('anew')]))
  const parts = [
    { type: 'application/octet-stream', name: '../shot.png', bytes: PNG },
    { type: 'image/png', name: 'page.html', bytes: '<script>alert(1)</script>' },
    { type: 'text/plain', name: 'virus.exe', bytes: Buffer.from([0x4d, 0x5a, 0, 1]) },
    { type: 'application/pgp-signature', name: 'signature.asc', bytes: 'x' },
  ]
  expect(await mails.take(letterWithFiles(parts, { to, from: customer.address }))).toMatchObject({ outcome: 'message' })
  const message = (await mails.messages(ticketId)).at(-1)
  const files = await mails.desk.database.db.query<{ name: string; bytes: Buffer }>(
    'select name, bytes from control.ticket_attachments where message_id = $1 order by place',
    [message?.id],
  )
  expect(files.map(({ name }) => name)).toEqual(['shot.png', 'page.html.txt'])
  expect(files[0]?.bytes.toString('latin1')).toMatch(/anew$/)
  expect(message?.text).toBe(
    'See the files.\n\nThese files of the e-mail were not added: virus.exe. A message takes five pictures, text files or zip archives of up to 10 MB.',
  )
})

it('a sixth file, a file that is too large and pictures that cannot be encoded are left out and named', async () => {
  const [damaged, grown] = [promisedPng(5, 5), promisedPng(6, 6)]
  const tooLarge = Buffer.alloc(ATTACHMENT_BOUNDS.bytes + 1, 'x')
  mails.rewritePicture = (bytes) => Promise.resolve(Buffer.compare(bytes, damaged) === 0 ? null : tooLarge)
  const logs = Array.from({ length: 6 }, (_, at) => ({ type: 'text/plain', name: `${at}.log`, bytes: 'It stops' }))
  const parts = [
    { type: 'image/png', name: 'damaged.png', bytes: damaged },
    { type: 'image/png', name: 'grown.png', bytes: grown },
    { type: 'text/plain', name: 'world.log', bytes: tooLarge },
    ...logs,
  ]
  expect(await mails.take(letterWithFiles(parts, { to, from: customer.address }))).toMatchObject({ outcome: 'message' })
  const message = (await mails.messages(ticketId)).at(-1)
  const files = await mails.desk.database.db.query<{ name: string }>(
    'select name from control.ticket_attachments where message_id = $1 order by place',
    [message?.id],
  )
  expect(files.map(({ name }) => name)).toEqual(['0.log', '1.log', '2.log', '3.log', '4.log'])
  expect(message?.text).toContain('were not added: damaged.png, grown.png, world.log, 5.log. A message')
})

it('ten of many files that are left out are named', async () => {
  const parts = Array.from({ length: 12 }, (_, at) => ({
    type: 'text/plain',
    name: `${at}.exe`,
    bytes: Buffer.from([0x4d, 0x5a, 0, 1]),
  }))
  await mails.take(letterWithFiles(parts, { to, from: customer.address }))
  expect((await mails.messages(ticketId)).at(-1)?.text).toContain('8.exe, 9.exe, …. A message')
})

it('a mail without text that can be read is a message that says so, and one with files alone has its files', async () => {
  const html = ['MIME-Version: 1.0', 'Content-Type: text/html; charset=utf-8']
  const picture = '<html><body><img src="https://example.test/a.png"><style>p { color: red }</style></body></html>'
  expect(await mails.take(write({ headers: html, body: picture }))).toMatchObject({ outcome: 'message' })
  const files = [{ type: 'text/plain', name: 'server.log', bytes: 'It is full' }]
  const sent = { to, from: customer.address, body: '' }
  expect(await mails.take(letterWithFiles(files, sent))).toMatchObject({ outcome: 'message' })
  expect((await mails.messages(ticketId)).map(({ text }) => text)).toEqual([
    'Please',
    'The e-mail had no text.',
    'server.log',
  ])
  const stored = await mails.desk.database.db.query<{ name: string }>(
    `select a.name from control.ticket_attachments a join control.ticket_messages m on m.id = a.message_id where m.ticket_id = $1`,
    [ticketId],
  )
  expect(stored).toEqual([{ name: 'server.log' }])
})

it('a text that is too long is cut, and stands whole in a file', async () => {
  const body = `${'word '.repeat(10_000)}end`
  await mails.take(write({ body }))
  const message = (await mails.messages(ticketId)).at(-1)
  expect(message?.text.length).toBeLessThanOrEqual(20_000)
  const [file] = await mails.desk.database.db.query<{ name: string; bytes: Buffer }>(
    'select name, bytes from control.ticket_attachments where message_id = $1',
    [message?.id],
  )
  expect([file?.name, file?.bytes.toString('utf8').trim().endsWith('end')]).toEqual(['e-mail.txt', true])
})

it('a quotation that is too long is cut, and stands whole in a file', async () => {
  const body = `It works.\n\nOn Fri, 20 Nov 2026 at 19:00, Host wrote:\n${'> word word word\n'.repeat(2_000)}> end\n`
  expect(await mails.take(write({ body }))).toMatchObject({ outcome: 'message' })
  const message = (await mails.messages(ticketId)).at(-1)
  expect(message?.text).toBe('It works.')
  expect(message?.quoted).toHaveLength(20_000)
  const [file] = await mails.desk.database.db.query<{ name: string; bytes: Buffer }>(
    'select name, bytes from control.ticket_attachments where message_id = $1',
    [message?.id],
  )
  expect([file?.name, file?.bytes.toString('utf8').trim().endsWith('> end')]).toEqual(['e-mail.txt', true])
})

it('the pictures of somebody who may not write there are not looked at', async () => {
  mails.rewritePicture = () => Promise.reject(new Error('It was looked at'))
  const picture = [{ type: 'image/png', name: 'a.png', bytes: PNG }]
  expect(await mails.take(letterWithFiles(picture, { to, from: 'eve@evil.example' }))).toMatchObject({
    outcome: 'unmatched',
  })
})
