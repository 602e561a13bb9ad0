import { readdirSync } from 'node:fs'
import { handleEndpoints } from 'payload'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { animatedWebp, bombPng, GIF, promisedPng, SVG } from '../../support/hostile-pictures.ts'
import { startCms, testUserHeader, type CmsHarness, type Person } from './cms-harness.ts'

vi.mock('../../../src/identity/dependencies.ts', () => import('./test-identity.ts'))

let cms: CmsHarness
beforeAll(async () => {
  cms = await startCms()
})
afterAll(() => cms.close())

type Upload = { bytes: Buffer; type?: string; name?: string; by?: Exclude<Person, 'anonymous'>; language?: string }

const send = async (path: string, method: string, { bytes, type = 'image/png', ...more }: Upload) => {
  const { name = 'picture.png', by = 'administrator', language = 'en' } = more
  const body = new FormData()
  body.set('file', new File([new Uint8Array(bytes)], name, { type }))
  body.set('_payload', JSON.stringify({ alt: 'A picture' }))
  const headers = { host: 'site.test', [testUserHeader]: cms.ids[by], 'accept-language': language }
  const request = new Request(`http://site.test/api/cms${path}`, { method, headers, body })
  const response = await handleEndpoints({ config: cms.config, request })
  return { status: response.status, text: await response.text() }
}
const upload = (what: Upload) => send('/media', 'POST', what)
const storedFiles = () => readdirSync(process.env.MEDIA_DIR ?? '').toSorted()

const cut = async () => {
  const bytes = await sharp({ create: { width: 900, height: 900, channels: 3, background: '#812' } })
    .png()
    .toBuffer()
  return bytes.subarray(0, bytes.length / 2)
}

it.each([
  ['a head that promises 50,000 x 50,000 pixels', 422, 'too large', () => promisedPng(50_000, 50_000)],
  ['a complete picture of 20,000 x 20,000 pixels', 422, 'too large', () => bombPng(20_000, 20_000)],
  ['an animation of 41 frames of a million pixels', 422, 'too large', () => animatedWebp(1_000, 41)],
  ['a PNG that is cut off', 422, 'damaged or cut off', cut],
  ['an SVG with a script', 400, 'Only PNG, JPEG, WebP and AVIF', () => SVG],
  ['a GIF', 400, 'Only PNG, JPEG, WebP and AVIF', () => GIF],
  ['a web page that claims to be a PNG', 400, 'Only PNG', () => Buffer.from('<!doctype html><script>1</script>')],
] as const)('%s is refused with the reason and leaves no file: the attack S8', async (_title, status, text, make) => {
  const before = storedFiles()
  const bytes = await make()
  const answer = await upload({ bytes })
  expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(text)])
  expect((await send(`/media/${cms.documents['media']}`, 'PATCH', { bytes })).status).toBe(status)
  expect(storedFiles()).toEqual(before)
})

it('the reason is in the language of the reader', async () => {
  for (const [language, text] of [
    ['en', 'too large'],
    ['hu', 'túl nagy'],
    ['de', 'zu groß'],
  ] as const)
    expect((await upload({ bytes: promisedPng(50_000, 50_000), language })).text).toContain(text)
})

it.each([
  ['en', 'This file is too large: at most 10 MB.'],
  ['hu', 'Ez a fájl túl nagy: legfeljebb 10 MB lehet.'],
  ['de', 'Diese Datei ist zu groß: höchstens 10 MB.'],
])('a file beyond 10 MB is refused with the reason in %s', async (language, text) => {
  const answer = await upload({ bytes: Buffer.alloc(10_100_000, 1), language })
  expect([answer.status, answer.text]).toEqual([413, expect.stringContaining(text)])
})

it('a picture is stored by its format and without appended bytes, whatever its name says', async () => {
  const jpeg = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#812' } })
    .jpeg()
    .toBuffer()
  const bytes = Buffer.concat([jpeg, Buffer.from('<script>1</script>')])
  const answer = await upload({ bytes, name: 'page.html', type: 'text/html' })
  expect(answer.status).toBe(201)
  const { doc } = JSON.parse(answer.text) as { doc: Record<string, unknown> }
  expect(doc).toMatchObject({ filename: 'page.jpg', mimeType: 'image/jpeg', width: 30, height: 20 })
  const file = await handleEndpoints({
    config: cms.config,
    request: new Request('http://site.test/api/cms/media/file/page.jpg'),
  })
  const stored = Buffer.from(await file.arrayBuffer())
  expect([file.status, stored.includes('<script>')]).toEqual([200, false])
})

it('a file of anybody but an administrator is not decoded', async () => {
  for (const by of ['customer', 'support'] as const) expect((await upload({ bytes: SVG, by })).status).toBe(403)
})

it('an address in place of a file is not downloaded', async () => {
  const body = { alt: 'A picture', filename: 'a.png', url: 'https://pictures.example/a.png' }
  const answer = await cms.send('administrator', 'post /media', body)
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('No files were uploaded')])
})
