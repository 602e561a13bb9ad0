import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ErrorBody } from '#contracts/http/errors.ts'
import { TicketAttachment } from '#contracts/http/desk/ticket-entity.ts'
import { TicketView } from '#contracts/http/ticket.ts'
import { ATTACHMENT_BOUNDS } from '#domain/tickets/attachment.ts'
import { systemIds } from '#platform/ids.ts'
import { openConnectedSite, type ConnectedSite, type Visitor } from '../../factories/connected-site.ts'
import { bombPng, GIF, SVG } from '../../support/hostile-pictures.ts'
import { SITE } from '../../support/site-routes.ts'

const UPLOAD = 'POST /api/ticket-attachment'
const categoryId = systemIds.next()
let connected: ConnectedSite
let anna: Visitor
let bela: Visitor
beforeAll(async () => {
  connected = await openConnectedSite()
  anna = await connected.visit()
  bela = await connected.visit()
  await connected.database.owner.query(
    `insert into cms_api.ticket_categories (id, name) values ($1, '{"en": "Help", "hu": "Help", "de": "Help"}')`,
    [categoryId],
  )
})
afterAll(() => connected.close())

const keyed = ({ headers }: Visitor) => ({ ...headers, 'idempotency-key': systemIds.next() })
const upload = (visitor: Visitor, name: string, file: Uint8Array) =>
  connected.site.ask(UPLOAD, {
    headers: { ...keyed(visitor), 'content-type': 'application/octet-stream' },
    file: new Uint8Array(file),
    search: `?name=${encodeURIComponent(name)}`,
  })
const opened = async (visitor: Visitor, attachments: string[]) => {
  const { json } = await connected.site.ask('POST /api/ticket', {
    headers: keyed(visitor),
    body: { title: 'Help', categoryId, message: 'Look', attachments },
  })
  return TicketView.parse(json)
}
const download = ({ headers }: Visitor, ticketId: string, id: string) =>
  connected.site.send(new Request(`${SITE}/api/ticket/${ticketId}/attachments/${id}`, { headers }))
const codeOf = (json: unknown) => ErrorBody.safeParse(json).data?.error.code
const SAVED = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, no-store',
}

test('a page that calls itself a log is saved as text, whatever its name, and only by whoever sees the ticket', async () => {
  const page = Buffer.from('<html><script>alert(document.domain)</script>')
  const sent = await upload(anna, '../a"\r\nX: y/é<b>.html', page)
  expect([sent.status, TicketAttachment.parse(sent.json)]).toMatchObject([
    201,
    { name: 'éb.html.txt', kind: 'text', size: page.length },
  ])
  const { id } = TicketAttachment.parse(sent.json)
  const view = await opened(anna, [id])
  expect(view.messages[0]?.attachments).toEqual([sent.json])
  const saved = await download(anna, view.ticket.id, id)
  expect(Object.fromEntries(saved.headers)).toMatchObject({
    ...SAVED,
    'content-type': 'text/plain; charset=utf-8',
    'content-disposition': `attachment; filename="_b.html.txt"; filename*=UTF-8''%C3%A9b.html.txt`,
  })
  expect(Buffer.from(await saved.arrayBuffer()).equals(page)).toBe(true)
  const ofBela = (await opened(bela, [])).ticket.id
  for (const ticketId of [view.ticket.id, ofBela]) expect((await download(bela, ticketId, id)).status).toBe(404)
  expect(
    (await connected.site.send(new Request(`${SITE}/api/ticket/${view.ticket.id}/attachments/${id}`))).status,
  ).toBe(401)
})

test('a picture is encoded anew: nothing that was appended or written beside it stays', async () => {
  const drawn = sharp({ create: { width: 40, height: 30, channels: 3, background: { r: 200, g: 0, b: 0 } } })
  const jpeg = await drawn
    .withExif({ IFD0: { Copyright: 'SECRET-PLACE' } })
    .jpeg()
    .toBuffer()
  const polyglot = Buffer.concat([jpeg, Buffer.from('PK\u0003\u0004<script>alert(1)</script>')])
  const { id, name, kind } = TicketAttachment.parse((await upload(anna, 'shot.html', polyglot)).json)
  expect([name, kind]).toEqual(['shot.html.jpg', 'picture'])
  const view = await opened(anna, [id])
  const saved = await download(anna, view.ticket.id, id)
  expect(Object.fromEntries(saved.headers)).toMatchObject({ ...SAVED, 'content-type': 'image/jpeg' })
  const bytes = Buffer.from(await saved.arrayBuffer())
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 40, height: 30 })
  for (const left of ['SECRET-PLACE', '<script>']) expect(bytes.includes(left)).toBe(false)
})

test('of ten MiB, a zip is kept byte for byte; of more, nothing', async () => {
  const zip = Buffer.alloc(ATTACHMENT_BOUNDS.bytes, 'x')
  zip.write('PK\u0003\u0004', 0, 'latin1')
  const { id } = TicketAttachment.parse((await upload(anna, 'world.zip', zip)).json)
  const saved = await download(anna, (await opened(anna, [id])).ticket.id, id)
  expect(Buffer.from(await saved.arrayBuffer()).equals(zip)).toBe(true)
  const larger = await upload(anna, 'world.zip', Buffer.concat([zip, Buffer.from('x')]))
  expect([larger.status, codeOf(larger.json)]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
})

test.each([
  ['a GIF', GIF, 'ATTACHMENT_REFUSED'],
  ['a bomb of pixels', bombPng(30_000, 30_000), 'PICTURE_TOO_LARGE'],
  ['half a picture', bombPng(10, 10).subarray(0, 40), 'ATTACHMENT_REFUSED'],
  ['a program', Buffer.from('MZ\0\0'), 'ATTACHMENT_REFUSED'],
  ['nothing', Buffer.alloc(0), 'ATTACHMENT_REFUSED'],
])('%s is refused', async (_name, file, code) => {
  const { status, json } = await upload(bela, 'latest.log', file)
  expect([status, codeOf(json)]).toEqual([422, code])
})

test('a drawing with a script is text, and six files go with no message', async () => {
  const files = []
  for (let at = 0; at < 6; at += 1) files.push(TicketAttachment.parse((await upload(bela, 'a.svg', SVG)).json))
  expect(files[0]).toMatchObject({ name: 'a.svg.txt', kind: 'text' })
  const { status, json } = await connected.site.ask('POST /api/ticket', {
    headers: keyed(bela),
    body: { title: 'Help', categoryId, message: 'Look', attachments: files.map(({ id }) => id) },
  })
  expect([status, codeOf(json)]).toEqual([400, 'VALIDATION'])
})

test('a message of the longest length gets through, whatever it is made of', async () => {
  const message = `a${'\u0001'.repeat(19_999)}`
  const { status, json } = await connected.site.ask('POST /api/ticket', {
    headers: keyed(anna),
    body: { title: 'Help', categoryId, message },
  })
  expect([status, TicketView.parse(json).messages[0]?.message === message]).toEqual([201, true])
})
