import sharp from 'sharp'
import { expect, test } from 'vitest'
import { PICTURE_EDGE } from '#domain/users/picture.ts'
import { codePicture } from '../../../../src/identity/people/picture-codec.ts'
import { GIF as gif, promisedPng, SVG as svg } from '../../../support/hostile-pictures.ts'

const RED = { r: 220, g: 20, b: 20 }
const BLUE = { r: 20, g: 20, b: 220 }
const plain = (width: number, height: number, background = RED) =>
  sharp({ create: { width, height, channels: 3, background } })

/** Left half red, right half blue. */
const halves = (width: number, height: number) =>
  plain(width, height).composite([
    { input: { create: { width: width / 2, height, channels: 3, background: BLUE } }, left: width / 2, top: 0 },
  ])

const coded = async (bytes: Uint8Array, crop: Parameters<typeof codePicture>[1] = null): Promise<Buffer> => {
  const answer = await codePicture(bytes, crop)
  if (!answer.ok) throw new Error(answer.code)
  return answer.webp
}

const colourAt = async (webp: Buffer, left: number, top: number): Promise<'red' | 'blue'> => {
  const [red = 0, , blue = 0] = await sharp(webp)
    .extract({ left, top, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer()
  return red > blue ? 'red' : 'blue'
}

test.each(['jpeg', 'png', 'webp'] as const)('%s becomes a square webp', async (format) => {
  const head = await sharp(await coded(await plain(300, 200).toFormat(format).toBuffer())).metadata()
  expect(head).toMatchObject({ format: 'webp', width: PICTURE_EDGE, height: PICTURE_EDGE })
})

test('nothing of EXIF is left: neither the place nor the camera', async () => {
  const exif = { IFD0: { Copyright: 'canary-copyright' }, IFD3: { GPSLatitude: '47/1 29/1 0/1', GPSLatitudeRef: 'N' } }
  const bytes = await plain(64, 64).withExif(exif).jpeg().toBuffer()
  expect(bytes.includes('canary-copyright')).toBe(true)
  const webp = await coded(bytes)
  expect((await sharp(webp).metadata()).exif).toBeUndefined()
  expect(webp.includes('canary-copyright')).toBe(false)
})

test('the picture stands as the camera held it, and the square is cut from it so', async () => {
  // Orientation 6 is turned a quarter to the right: the left half, red, is the upper one.
  const bytes = await sharp(await halves(200, 100).png().toBuffer())
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  const upper = await coded(bytes, { x: 0, y: 0, size: 80 })
  const lower = await coded(bytes, { x: 0, y: 120, size: 80 })
  expect([await colourAt(upper, 128, 128), await colourAt(lower, 128, 128)]).toEqual(['red', 'blue'])
})

test('the square that was chosen is what is kept', async () => {
  const bytes = await halves(400, 200).png().toBuffer()
  expect(await colourAt(await coded(bytes, { x: 0, y: 0, size: 100 }), 200, 128)).toBe('red')
  expect(await colourAt(await coded(bytes, { x: 300, y: 50, size: 100 }), 50, 128)).toBe('blue')
})

test('data that is appended to a picture is not kept', async () => {
  const script = Buffer.from('<script>alert(document.domain)</script>PK\u0003\u0004')
  const webp = await coded(Buffer.concat([await plain(64, 64).jpeg().toBuffer(), script]))
  expect(webp.includes('<script>')).toBe(false)
})

test('noise, which packs worst, still fits its row', async () => {
  const noise = sharp({
    create: {
      width: 512,
      height: 512,
      channels: 3,
      background: RED,
      noise: { type: 'gaussian', mean: 128, sigma: 80 },
    },
  })
  expect((await coded(await noise.png().toBuffer())).byteLength).toBeLessThanOrEqual(102_400)
})

test.each([
  ['SVG', svg],
  ['SVG behind a comment', Buffer.concat([Buffer.from('<!--'), Buffer.alloc(10, 32), Buffer.from('-->'), svg])],
  ['GIF', gif],
  ['a web page', Buffer.from('<!doctype html><script>1</script>')],
  ['a PNG that is only its signature and a page', Buffer.from('\x89PNG\r\n\x1a\n<html>', 'latin1')],
  ['a JPEG that is only its signature', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16])],
  ['a PNG without its rows', promisedPng(4_000, 4_000)],
  ['nothing', Buffer.alloc(0)],
])('%s is refused', async (_name, bytes) => {
  expect(await codePicture(bytes, null)).toEqual({ ok: false, code: 'PICTURE_REFUSED' })
})

test('a damaged picture is refused', async () => {
  const bytes = await halves(400, 400).jpeg().toBuffer()
  expect(await codePicture(bytes.subarray(0, bytes.length / 2), null)).toEqual({ ok: false, code: 'PICTURE_REFUSED' })
})

test('an animation is refused', async () => {
  const frames = await Promise.all([RED, BLUE].map((colour) => plain(16, 16, colour).png().toBuffer()))
  const bytes = await sharp(frames, { join: { animated: true } })
    .webp()
    .toBuffer()
  expect((await sharp(bytes).metadata()).pages).toBe(2)
  expect(await codePicture(bytes, null)).toEqual({ ok: false, code: 'PICTURE_REFUSED' })
})

test.each([
  [8_000, 5_001],
  [60_000, 60_000],
  [500_000, 81],
])('%i x %i pixels are too many, and are not decoded', async (width, height) => {
  const answer = await codePicture(promisedPng(width, height), null)
  expect(answer).toEqual({ ok: false, code: 'PICTURE_TOO_LARGE' })
})
