import sharp from 'sharp'
import { expect, test } from 'vitest'
import { boundedSharp } from '../../../../src/cms/uploads/bounded-sharp.ts'
import { rewritePicture } from '../../../../src/identity/people/rewrite-picture.ts'
import { animatedWebp, bombPng, GIF, promisedPng, SVG } from '../../../support/hostile-pictures.ts'

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 220, g: 20, b: 20 } } })

const rewritten = async (bytes: Uint8Array) => {
  const picture = await rewritePicture(bytes)
  if (!picture.ok) throw new Error(picture.fault)
  return picture
}

test.each([
  ['png', 'image/png', 'png'],
  ['jpeg', 'image/jpeg', 'jpg'],
  ['webp', 'image/webp', 'webp'],
  ['avif', 'image/avif', 'avif'],
] as const)('%s keeps its format and size', async (format, mimetype, ending) => {
  const picture = await rewritten(await plain(60, 40).toFormat(format).toBuffer())
  expect(picture).toMatchObject({ mimetype, ending })
  expect(await sharp(picture.data).metadata()).toMatchObject({ width: 60, height: 40 })
})

test('neither the place nor appended bytes of a picture are stored', async () => {
  const exif = { IFD0: { Copyright: 'canary-copyright' }, IFD3: { GPSLatitude: '47/1 29/1 0/1', GPSLatitudeRef: 'N' } }
  const picture = await plain(64, 64).withExif(exif).jpeg().toBuffer()
  const { data } = await rewritten(Buffer.concat([picture, Buffer.from('<script>alert(1)</script>PK\u0003\u0004')]))
  expect([data.includes('canary-copyright'), data.includes('<script>')]).toEqual([false, false])
})

test('a picture taken on its side is stored upright', async () => {
  const { data } = await rewritten(await plain(80, 40).withMetadata({ orientation: 6 }).jpeg().toBuffer())
  expect(await sharp(data).metadata()).toMatchObject({ width: 40, height: 80 })
})

test('a small animation keeps its frames', async () => {
  const { data } = await rewritten(await animatedWebp(20, 3))
  expect(await sharp(data, { pages: -1 }).metadata()).toMatchObject({ width: 20, pageHeight: 20 })
})

test.each([
  ['a head that promises 50,000 x 50,000 pixels', () => promisedPng(50_000, 50_000)],
  ['a complete picture of 20,000 x 20,000 pixels', () => bombPng(20_000, 20_000)],
  ['a picture with a side of 20,000 pixels', () => bombPng(20_000, 8)],
  ['an animation of 41 frames of a million pixels', () => animatedWebp(1_000, 41)],
] as const)('%s is too large', async (_title, make) => {
  const picture = await rewritePicture(await make())
  expect(picture.ok ? 'stored' : picture.fault).toBe('TOO_LARGE')
})

test('a picture that is cut off is damaged', async () => {
  const noise = plain(400, 400).composite([{ input: await plain(200, 200).png().toBuffer(), left: 10, top: 10 }])
  for (const format of ['png', 'jpeg', 'webp'] as const) {
    const bytes = await noise.clone().toFormat(format).toBuffer()
    const cut = await rewritePicture(bytes.subarray(0, Math.floor(bytes.length / 2)))
    expect([format, cut]).toEqual([format, { ok: false, fault: 'DAMAGED' }])
  }
  expect(await rewritePicture(promisedPng(4_000, 4_000))).toEqual({ ok: false, fault: 'DAMAGED' })
})

test.each([
  ['SVG', SVG],
  ['SVG behind a comment', Buffer.concat([Buffer.from('<!-- -->'), SVG])],
  ['GIF', GIF],
  ['a web page', Buffer.from('<!doctype html><script>1</script>')],
  ['nothing', Buffer.alloc(0)],
])('%s is not a picture that can be uploaded', async (_title, bytes) => {
  expect(await rewritePicture(bytes)).toEqual({ ok: false, fault: 'FORMAT' })
})

test('Payload decodes no stored picture beyond the bound either', async () => {
  const crop = boundedSharp(bombPng(12_000, 12_000)).extract({ left: 0, top: 0, width: 9, height: 9 })
  await expect(crop.toBuffer()).rejects.toThrow('pixel limit')
})
