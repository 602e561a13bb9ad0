import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import { promisify } from 'node:util'
import type { BrotliCompress, Gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip'

const TEXT = /^(text\/|application\/(json|javascript|xml|manifest\+json|ld\+json|wasm)|image\/svg\+xml)/i
const MIN_BYTES = 1_000

/** Whether compressing a response of this type pays off. */
export const isCompressible = (contentType: string): boolean => TEXT.test(contentType)

/** Whether compressing this many bytes pays off. */
export const isWorthIt = (bytes: number): boolean => bytes >= MIN_BYTES

/** The best encoding that both sides support; `q=0` refuses one. */
export const chooseEncoding = (accept: string | undefined): Encoding | null => {
  const accepted = new Set<string>()
  for (const part of (accept ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.trim().split(';')
    if (!parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/.test(parameter))) accepted.add(name.trim())
  }
  if (accepted.has('br')) return 'br'
  return accepted.has('gzip') ? 'gzip' : null
}

const brotliOptions = (quality: number, size?: number) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    ...(size === undefined ? {} : { [constants.BROTLI_PARAM_SIZE_HINT]: size }),
  },
})

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Compresses a whole body. A body cached for many readers (`thorough`) is worth more time. */
export const compressWhole = (body: Buffer, encoding: Encoding, thorough: boolean): Promise<Buffer> =>
  encoding === 'br'
    ? brotli(body, brotliOptions(thorough ? 9 : 4, body.byteLength))
    : zip(body, { level: thorough ? 9 : 6 })

/** A compressor for a response of unknown length that flushes each chunk. */
export const createStreamCompressor = (encoding: Encoding): BrotliCompress | Gzip =>
  encoding === 'br'
    ? createBrotliCompress({ ...brotliOptions(4), flush: constants.BROTLI_OPERATION_FLUSH })
    : createGzip({ flush: constants.Z_SYNC_FLUSH })
