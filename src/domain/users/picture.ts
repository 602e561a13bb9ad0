export type PictureFormat = 'jpeg' | 'png' | 'webp'

/** The maximum size of an uploaded picture in bytes. */
export const PICTURE_MAX_BYTES = 8_000_000
/** The maximum pixels of an uploaded picture: a few bytes can decode to gigabytes. */
export const PICTURE_MAX_PIXELS = 40_000_000
/** Width and height of the stored picture. */
export const PICTURE_EDGE = 256

const SIGNATURES: Readonly<Record<PictureFormat, readonly (number | null)[]>> = {
  jpeg: [0xff, 0xd8, 0xff],
  png: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  // "RIFF", four bytes of length, "WEBP".
  webp: [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50],
}

/**
 * The format detected from the first bytes, whatever the file's name; null for unsupported ones (SVG, GIF, TIFF, PDF,
 * ...).
 */
export const pictureFormat = (bytes: Uint8Array): PictureFormat | null => {
  const formats = Object.keys(SIGNATURES) as PictureFormat[]
  return formats.find((format) => SIGNATURES[format].every((byte, at) => byte === null || byte === bytes[at])) ?? null
}

/** Whole pixels of the upright picture, from its top left corner. */
export type Square = { readonly x: number; readonly y: number; readonly size: number }
export type Extent = { readonly width: number; readonly height: number }

/**
 * The square to crop: the requested one moved and shrunk until it fits, else the largest one around the centre. Whole
 * numbers in and out; a picture has at least one pixel.
 */
export const squareWithin = ({ width, height }: Extent, wish: Square | null): Square => {
  const edge = Math.min(width, height)
  if (wish === null) return { x: Math.floor((width - edge) / 2), y: Math.floor((height - edge) / 2), size: edge }
  const size = Math.min(Math.max(wish.size, 1), edge)
  return { x: Math.min(Math.max(wish.x, 0), width - size), y: Math.min(Math.max(wish.y, 0), height - size), size }
}
