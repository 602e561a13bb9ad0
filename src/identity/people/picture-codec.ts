import sharp from 'sharp'
import { PICTURE_EDGE, PICTURE_MAX_PIXELS, pictureFormat, squareWithin } from '#domain/users/picture.ts'
import type { Square } from '#domain/users/picture.ts'
import { boundedQueue } from '../context/password-hasher.ts'

export type PictureRefusal = 'PICTURE_REFUSED' | 'PICTURE_TOO_LARGE'
export type CodedPicture =
  { readonly ok: true; readonly webp: Buffer } | { readonly ok: false; readonly code: PictureRefusal }

const DECODE_SECONDS = 10
/** What transparent parts are laid on: the ground of the pages. */
const GROUND = { r: 23, g: 23, b: 30 }

// A large picture takes up to 160 MB while it is cut: one at a time, and few wait.
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
 * Makes the small square webp of an uploaded picture. The format is read from its bytes; nothing of the file is kept but what
 * is seen: no EXIF, no place, nothing appended. Upright as the camera held it. Refuses what is no still JPEG, PNG or WebP, is
 * damaged or takes too long (PICTURE_REFUSED) and what has too many pixels (PICTURE_TOO_LARGE); throws HasherBusy when too many wait.
 */
export const codePicture = (bytes: Uint8Array, wish: Square | null): Promise<CodedPicture> =>
  // What the decoder says of a damaged file tells nothing that its sender could use.
  queue(() => encode(bytes, wish).catch(() => refused('PICTURE_REFUSED')))
