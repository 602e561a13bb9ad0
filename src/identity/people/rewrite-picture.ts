import { open } from 'node:fs/promises'
import sharp from 'sharp'
import type { Metadata, Sharp } from 'sharp'
import { PICTURE_MAX_PIXELS, pictureFormat } from '#domain/users/picture.ts'
import { boundedQueue } from '../context/password-hasher.ts'

/** A file of one of these formats can be uploaded. */
const FORMATS = {
  png: { mimetype: 'image/png', ending: 'png' },
  jpeg: { mimetype: 'image/jpeg', ending: 'jpg' },
  webp: { mimetype: 'image/webp', ending: 'webp' },
  avif: { mimetype: 'image/avif', ending: 'avif' },
} as const
type Format = keyof typeof FORMATS

/** The formats that the collection accepts. */
export const PICTURE_TYPES = Object.values(FORMATS).map(({ mimetype }) => mimetype)

/** The longest side that a WebP can have; the other formats follow it. */
const MAX_SIDE = 16_383
const DECODE_SECONDS = 15

export type PictureFault = 'FORMAT' | 'TOO_LARGE' | 'DAMAGED'
export type RewrittenPicture =
  | { readonly ok: true; readonly data: Buffer; readonly mimetype: string; readonly ending: string }
  | { readonly ok: false; readonly fault: PictureFault }

// A large picture takes up to 160 MB while it is decoded: one at a time, with a short queue.
const queue = boundedQueue({ concurrency: 1, maxWaiting: 8 })

const refused = (fault: PictureFault): RewrittenPicture => ({ ok: false, fault })

/** The beginning of a file that tells its format. */
const SIGNATURE_BYTES = 64
const AVIF = /^....ftypavi[fs]/su

// Other formats never reach a decoder: that of SVG reads documents.
const formatOf = (bytes: Uint8Array): Format | null =>
  AVIF.test(Buffer.from(bytes.subarray(0, 12)).toString('latin1')) ? 'avif' : pictureFormat(bytes)

const encoded = (picture: Sharp, format: Format, { isPalette }: Metadata): Sharp => {
  if (format === 'png') return picture.png({ compressionLevel: 9, palette: isPalette })
  if (format === 'jpeg') return picture.jpeg({ quality: 90 })
  return format === 'webp' ? picture.webp({ quality: 90 }) : picture.avif({ quality: 70, effort: 2 })
}

/** Only the head is read here, and the height is that of all frames together. */
const headOf = (picture: Uint8Array | string): Promise<Metadata> =>
  sharp(picture, { limitInputPixels: false, pages: -1 }).metadata()

const isTooLarge = ({ width, height, pageHeight = height }: Metadata): boolean =>
  width * height > PICTURE_MAX_PIXELS || Math.max(width, pageHeight) > MAX_SIDE

/** Whether the picture in a file has more pixels than one that is uploaded. False for a file that is no picture. */
export const isOversizedPicture = async (file: string): Promise<boolean> => {
  try {
    const opened = await open(file)
    const { buffer } = await opened
      .read(Buffer.alloc(SIGNATURE_BYTES), 0, SIGNATURE_BYTES, 0)
      .finally(() => opened.close())
    return formatOf(buffer) !== null && isTooLarge(await headOf(file))
  } catch {
    return false
  }
}

const rewrite = async (bytes: Uint8Array): Promise<RewrittenPicture> => {
  const format = formatOf(bytes)
  if (format === null) return refused('FORMAT')
  const head = await headOf(bytes)
  if (isTooLarge(head)) return refused('TOO_LARGE')
  const isAnimated = (head.pages ?? 1) > 1
  const decoder = sharp(bytes, {
    limitInputPixels: PICTURE_MAX_PIXELS,
    failOn: 'error',
    pages: isAnimated ? -1 : 1,
  }).timeout({ seconds: DECODE_SECONDS })
  // Frames of an animation cannot be turned.
  const data = await encoded(isAnimated ? decoder : decoder.autoOrient(), format, head).toBuffer()
  return { ok: true, data, ...FORMATS[format] }
}

/**
 * Decodes an uploaded picture completely, within bounds of pixels and time, and encodes it anew in its own format:
 * only the visible picture is kept, without its place and camera and without anything appended. The format is
 * detected from the bytes.
 */
export const rewritePicture = (bytes: Uint8Array): Promise<RewrittenPicture> =>
  // The decoder's message about a damaged file is of no use to its sender.
  queue(() => rewrite(bytes).catch(() => refused('DAMAGED')))
