import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { ErrorBody } from '#contracts/http/errors.ts'
import { TicketAttachment } from '#contracts/http/desk/ticket-entity.ts'
import { TicketView } from '#contracts/http/ticket.ts'
import { clamd } from '#platform/virus-scan/clamd.ts'
import { systemIds } from '#platform/ids.ts'
import { startClamd, type ClamdEmulator } from '../../emulators/clamd/clamd-server.ts'
import { openConnectedSite, type ConnectedSite, type Visitor } from '../../factories/connected-site.ts'
import { EICAR, zipOf } from '../../support/eicar.ts'
import { promisedPng } from '../../support/hostile-pictures.ts'
import { SITE } from '../../support/site-routes.ts'

const LARGEST = 1_048_576
const categoryId = systemIds.next()
let server: ClamdEmulator
let connected: ConnectedSite
let anna: Visitor
beforeAll(async () => {
  server = await startClamd({ largest: LARGEST })
  // The site reads it once, when it is opened.
  Object.assign(process.env, { CLAMD_URL: `tcp://127.0.0.1:${server.port}` })
  connected = await openConnectedSite()
  connected.files.scanner = clamd({ host: '127.0.0.1', port: server.port })
  anna = await connected.visit()
  await connected.database.owner.query(
    `insert into cms_api.ticket_categories (id, name) values ($1, '{"en": "Help", "hu": "Help", "de": "Help"}')`,
    [categoryId],
  )
})
afterEach(() => server.set('nothing'))
afterAll(async () => {
  await connected.close()
  await server.close()
})

const upload = (name: string, file: Uint8Array | string, { key = systemIds.next(), language = 'en' } = {}) =>
  connected.site.ask('POST /api/ticket-attachment', {
    headers: {
      ...anna.headers,
      'idempotency-key': key,
      'accept-language': language,
      'content-type': 'application/octet-stream',
    },
    file: new Uint8Array(Buffer.from(file)),
    search: `?name=${encodeURIComponent(name)}`,
  })
const refusalOf = async (asked: ReturnType<typeof upload>) => {
  const { status, json } = await asked
  const { code, message } = ErrorBody.parse(json).error
  return { status, code, message }
}
const kept = async () =>
  (
    await connected.database.owner.query<{ name: string }>('select name from control.ticket_attachments order by id')
  ).map(({ name }) => name)
/** A picture whose end is something else: what is kept of it would not have it. */
const infectedPicture = () => Buffer.concat([promisedPng(4, 4), Buffer.from(EICAR)])

it.each([
  ['a log', 'latest.log', () => EICAR],
  ['an archive', 'world.zip', () => zipOf('a/b.txt', EICAR)],
  ['a picture', 'shot.png', infectedPicture],
])('%s with a virus is refused, in words, and nothing of it is kept', async (_what, name, made) => {
  const before = await kept()
  expect(await refusalOf(upload(name, await made()))).toEqual({
    status: 422,
    code: 'ATTACHMENT_INFECTED',
    message: expect.stringContaining('Our virus scanner found something harmful in this file'),
  })
  expect(await kept()).toEqual(before)
})

it.each([
  ['en', "We can't check files for viruses right now."],
  ['hu', 'Most nem tudjuk vírusokra ellenőrizni a fájlokat.'],
  ['de', 'Wir können Dateien gerade nicht auf Viren prüfen.'],
])(
  'without a verdict a file is refused for now (%s), and the same attempt keeps it once later',
  async (language, words) => {
    const key = systemIds.next()
    const name = `${language}.log`
    server.set('closes at once')
    expect(await refusalOf(upload(name, 'It stops', { key, language }))).toEqual({
      status: 503,
      code: 'ATTACHMENT_NOT_SCANNED',
      message: expect.stringContaining(words),
    })
    expect((await kept()).filter((each) => each === name)).toEqual([])
    server.set('nothing')
    const [first, again] = [await upload(name, 'It stops', { key }), await upload(name, 'It stops', { key })]
    expect([first.status, again.json]).toEqual([201, first.json])
    expect((await kept()).filter((each) => each === name)).toEqual([name])
  },
)

it('a picture is refused for now too before anybody decodes it', async () => {
  server.set('dies in the middle')
  expect(await refusalOf(upload('shot.png', promisedPng(4, 4)))).toMatchObject({ code: 'ATTACHMENT_NOT_SCANNED' })
})

it('a file that is too large for the scanner is refused for good', async () => {
  const log = Buffer.alloc(LARGEST + 1, 'It stops\n')
  expect(await refusalOf(upload('latest.log', log))).toEqual({
    status: 422,
    code: 'ATTACHMENT_UNSCANNABLE',
    message: expect.stringContaining("can't check a file of this size"),
  })
})

it('a clean file is kept, sent and downloaded', async () => {
  const { id } = TicketAttachment.parse((await upload('latest.log', 'It stops at 3')).json)
  const { json } = await connected.site.ask('POST /api/ticket', {
    headers: { ...anna.headers, 'idempotency-key': systemIds.next() },
    body: { title: 'Help', categoryId, message: 'Look', attachments: [id] },
  })
  const { ticket } = TicketView.parse(json)
  expect(ticket.attachments).toMatchObject([{ id, name: 'latest.log', kind: 'text' }])
  const address = `${SITE}/api/ticket/${ticket.id}/attachments/${id}`
  const saved = await connected.site.send(new Request(address, { headers: anna.headers }))
  expect(await saved.text()).toBe('It stops at 3')
})
