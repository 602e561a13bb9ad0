import sharp from 'sharp'
import { PICTURE_EDGE, PICTURE_MAX_PIXELS, pictureFormat, squareWithin } from '#domain/users/picture.ts'
import type { Square } from '#domain/users/picture.ts'
import { boundedQueue } from '../context/password-hasher.ts'

export type PictureRefusal = 'PICTURE_REFUSED' | 'PICTURE_TOO_LARGE'
export type CodedPicture =
  { readonly ok: true; readonly webp: Buffer } | { readonly ok: false; readonly code: PictureRefusal }

const DECODE_SECONDS = 10
/** The background of transparent parts: that of the pages. */
const GROUND = { r: 23, g: 23, b: 30 }

// A large picture takes up to 160 MB while it is cropped: one at a time, with a short queue.
const queue = boundedQueue({ concurrency: 1, maxWaiting: 8 })

const refused = (code: PictureRefusal): CodedPicture => ({ ok: false, code })

const encode = async (bytes: Uint8Array, wish: Square | null): Promise<CodedPicture> => {
  const format = pictureFormat(bytes)
  if (format === null) return refused('PICTURE_REFUSED')
  const head = await sharp(bytes, { limitInputPixels: false }).metadata()
  if (head.format !== format || (head.pages ?? 1) > 1) return refused('PICTURE_REFUSED')
  if (head.width * head.height > PICTURE_MAX_PIXELS) return refused('PICTURE_TOO_LARGE')
  const { x, y, size } = squareWithin(head.autoOrient, wish)
  const webp = await sharp(bytes, { limitInputPixels: PICTURE_MAX_PIXELS, failOn: 'error' })
    .timeout({ seconds: DECODE_SECONDS })
    .autoOrient()
    .extract({ left: x, top: y, width: size, height: size })
    .resize(PICTURE_EDGE, PICTURE_EDGE)
    .flatten({ background: GROUND })
    .webp({ quality: 82 })
    .toBuffer()
  return { ok: true, webp }
}

/**
 * Makes the small square webp of an uploaded picture. The format is detected from its bytes; only the visible picture
 * is kept: no EXIF, no location, no appended data. EXIF rotation is applied. Refuses anything but a still JPEG, PNG or
 * WebP, and files that are damaged or take too long (PICTURE_REFUSED) or have too many pixels (PICTURE_TOO_LARGE);
 * throws HasherBusy when too many wait.
 */
export const codePicture = (bytes: Uint8Array, wish: Square | null): Promise<CodedPicture> =>
  // The decoder's message about a damaged file is of no use to its sender.
  queue(() => encode(bytes, wish).catch(() => refused('PICTURE_REFUSED')))
