import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TokenAnswer } from '#contracts/http/auth.ts'
import { ErrorBody } from '#contracts/http/errors.ts'
import { PICTURE_MAX_BYTES } from '#domain/users/picture.ts'
import { PASSWORD } from '../../support/people.ts'
import { openSite } from '../../support/site-routes.ts'
import type { OpenSite } from '../../support/site-routes.ts'

const SHOW = 'GET /api/uploads/profile/{id}'
const SEND = 'POST /api/user/picture'

let site: OpenSite
let anna: Record<string, string>
let bela: Record<string, string>

const join = async (username: string): Promise<Record<string, string>> => {
  const person = { username, email: `${username}@example.test`, acceptTerms: true }
  await site.ask('POST /api/auth/register', { body: { ...person, password: PASSWORD, passwordConfirm: PASSWORD } })
  const { json } = await site.ask('POST /api/auth/login', { body: { username, password: PASSWORD } })
  return { authorization: `Bearer ${TokenAnswer.parse(json).access_token}` }
}

const png = async (red: number) =>
  new Uint8Array(
    await sharp({ create: { width: 90, height: 60, channels: 3, background: { r: red, g: 0, b: 0 } } })
      .png()
      .toBuffer(),
  )
const asFile = (headers: Record<string, string>) => ({ ...headers, 'content-type': 'application/octet-stream' })
const send = async (headers: Record<string, string>, file: Uint8Array<ArrayBuffer>, search = '') =>
  site.ask(SEND, { headers: asFile(headers), file, search })
const idIn = (json: Record<string, unknown>): string => String(json['profilePictureId'])
const pictureOf = async (headers: Record<string, string>) =>
  (await site.ask('GET /api/user/me', { headers })).json['profilePictureId']
const codeOf = (json: unknown) => ErrorBody.safeParse(json).data?.error.code

beforeAll(async () => {
  site = await openSite()
  anna = await join('anna')
  bela = await join('bela')
})
afterAll(() => site.close())

test('anybody with a picture’s id sees it, and only their browser may cache it', async () => {
  const sent = await send(anna, await png(200), '?x=10&y=0&size=50')
  expect(sent.status).toBe(201)
  const id = idIn(sent.json)
  expect(id).toMatch(/^[A-Za-z0-9_-]{32}$/)
  expect(await pictureOf(anna)).toBe(id)
  const shown = await site.ask(SHOW, { id })
  expect(shown.status).toBe(200)
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'private, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  })
  expect(await sharp(shown.bytes).metadata()).toMatchObject({ format: 'webp', width: 256, height: 256 })
})

test('a new picture has a new id, and the old one no longer exists; a removed one is gone', async () => {
  const first = idIn((await send(anna, await png(1))).json)
  const second = idIn((await send(anna, await png(2))).json)
  expect(second).not.toBe(first)
  expect((await site.ask(SHOW, { id: first })).status).toBe(404)
  expect((await site.ask(SHOW, { id: second })).status).toBe(200)
  expect((await site.ask('DELETE /api/user/picture', { headers: anna })).status).toBe(200)
  expect((await site.ask(SHOW, { id: second })).status).toBe(404)
  expect(await pictureOf(anna)).toBeNull()
  expect((await site.ask('DELETE /api/user/picture', { headers: anna })).status).toBe(200)
})

test('nobody can replace or remove another person’s picture', async () => {
  const annas = idIn((await send(anna, await png(3))).json)
  await send(bela, await png(4))
  await site.ask('DELETE /api/user/picture', { headers: bela, id: annas, body: { profilePictureId: annas } })
  expect(await pictureOf(anna)).toBe(annas)
  expect((await site.ask(SHOW, { id: annas })).status).toBe(200)
})

test.each([
  '../../../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  "' or true --                     ",
  'a'.repeat(31),
  'a'.repeat(33),
  'a'.repeat(32),
  '\u0000'.repeat(32),
  '',
])('no picture has the id %j', async (id) => {
  const { status, json } = await site.ask(SHOW, { id })
  expect([status, codeOf(json)]).toEqual([404, 'NOT_FOUND'])
})

test('a refused picture leaves the current one in place', async () => {
  const id = idIn((await send(anna, await png(5))).json)
  const svg = new Uint8Array(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
  const refused = await site.ask(SEND, { headers: { ...anna, 'content-type': 'image/png' }, file: svg })
  expect([refused.status, codeOf(refused.json)]).toEqual([422, 'PICTURE_REFUSED'])
  const tooMuch = await send(anna, new Uint8Array(PICTURE_MAX_BYTES + 1))
  expect([tooMuch.status, codeOf(tooMuch.json)]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  expect(await pictureOf(anna)).toBe(id)
})

test.each(['text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded'])(
  'a body of type %s, which a form of another page can send, is refused',
  async (type) => {
    const before = await pictureOf(anna)
    const { status, json } = await site.ask(SEND, { headers: { ...anna, 'content-type': type }, file: await png(6) })
    expect([status, codeOf(json), await pictureOf(anna)]).toEqual([403, 'CSRF', before])
  },
)

test('a square needs all three numbers or none', async () => {
  for (const search of ['?x=1', '?x=1&y=1', '?x=-1&y=0&size=5', '?x=0&y=0&size=0', '?x=a&y=0&size=5', '?size=1e9']) {
    const { status } = await send(anna, await png(7), search)
    expect([search, status]).toEqual([search, 400])
  }
})

test('the change is logged', async () => {
  await send(bela, await png(8))
  await site.ask('DELETE /api/user/picture', { headers: bela })
  const rows = await site.identity.db.query<{ type: string }>(
    `select type from identity.activities where type like 'account.picture%' order by id desc limit 2`,
  )
  expect(rows.map(({ type }) => type)).toEqual(['account.picture-removed', 'account.picture'])
})
