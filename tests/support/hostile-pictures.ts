import { deflateSync } from 'node:zlib'
import sharp from 'sharp'

const crc = (bytes: Buffer): number => {
  let value = ~0
  for (const byte of bytes) {
    value ^= byte
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  }
  return ~value >>> 0
}

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc(body))
  return Buffer.concat([length, body, sum])
}

type Png = { readonly width: number; readonly height: number; readonly depth: 1 | 8; readonly colour: 0 | 2 }

const pngOf = ({ width, height, depth, colour }: Png, rows: Buffer): Buffer => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([depth, colour, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const packed = chunk('IDAT', deflateSync(rows))
  return Buffer.concat([signature, chunk('IHDR', head), packed, chunk('IEND', Buffer.alloc(0))])
}

/** A PNG whose head promises this many pixels and whose rows are missing. */
export const promisedPng = (width: number, height: number): Buffer =>
  pngOf({ width, height, depth: 8, colour: 2 }, Buffer.alloc(1_000_000))

/** A complete PNG of one bit for each pixel: 20,000 x 20,000 take 50 KB. */
export const bombPng = (width: number, height: number): Buffer =>
  pngOf({ width, height, depth: 1, colour: 0 }, Buffer.alloc(height * (1 + Math.ceil(width / 8))))

/** An animation of plain frames; equal ones would be stored as one. */
export const animatedWebp = (edge: number, frames: number): Promise<Buffer> => {
  const colours = Array.from({ length: frames }, (_, frame) => Buffer.alloc(edge * edge * 3, (frame % 2) * 128 + frame))
  const raw = { width: edge, height: edge * frames, channels: 3, pageHeight: edge } as const
  return sharp(Buffer.concat(colours), { raw }).webp({ effort: 0 }).toBuffer()
}

export const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>')
export const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
