import type { IncomingHttpHeaders } from 'node:http'
import {
  CHECKSUM_ALGORITHMS,
  TUS_EXTENSIONS,
  TUS_VERSION,
  UPLOAD_MAX_BYTES,
  type UploadChecksum,
  type UploadFacts,
  type UploadState,
} from '#contracts/panel/uploads.ts'
import { nameOf, partsOfPath } from '#contracts/panel/file-path.ts'
import { FileFailure } from '../files/file-failure.ts'

const KEY = /^[\x21-\x2b\x2d-\x7e]+$/
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const MAX_NAME_LENGTH = 255
const LENGTH = /^\d{1,15}$/
/** The base64 lengths of the digests. */
const DIGEST_LENGTHS: Readonly<Record<UploadChecksum['algorithm'], number>> = { sha256: 44, sha1: 28 }

/** On every response about uploads. */
export const TUS_HEADERS = { 'tus-resumable': TUS_VERSION, 'tus-version': TUS_VERSION } as const

/** The abilities of the node, in the response to OPTIONS. */
export const TUS_ABILITIES = {
  ...TUS_HEADERS,
  'tus-extension': TUS_EXTENSIONS.join(','),
  'tus-checksum-algorithm': CHECKSUM_ALGORITHMS.join(','),
  'tus-max-size': String(UPLOAD_MAX_BYTES),
} as const

const decoded = (value: string): string => {
  if (!BASE64.test(value)) throw new FileFailure('INVALID_REQUEST')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'base64'))
  } catch {
    throw new FileFailure('INVALID_REQUEST')
  }
}

/**
 * Path, kind and the file's own name of an upload by its Upload-Metadata (tus 1.0.0, "Upload-Metadata"): pairs of key and base64, keys unique. Keys of
 * other programs are ignored. Throws `INVALID_REQUEST` and `INVALID_PATH`.
 */
export const uploadMetadata = (
  header: string | string[] | undefined,
): Pick<UploadState, 'path' | 'replaces'> & Pick<UploadFacts, 'name'> => {
  const values = new Map<string, string>()
  for (const pair of String(header ?? '').split(',')) {
    const [key = '', value = '', ...more] = pair.trim().split(' ')
    if (!KEY.test(key) || more.length > 0 || values.has(key)) throw new FileFailure('INVALID_REQUEST')
    values.set(key, value)
  }
  const path = decoded(values.get('path') ?? '')
  if (path === '' || partsOfPath(path) === undefined) throw new FileFailure('INVALID_PATH')
  const replaces = decoded(values.get('replaces') ?? '') || 'new'
  if (replaces !== 'new' && replaces !== 'any') throw new FileFailure('INVALID_REQUEST')
  const name = decoded(values.get('filename') ?? '') || nameOf(path)
  return { path, replaces, name: name.slice(0, MAX_NAME_LENGTH) }
}

/** The Upload-Metadata that `uploadMetadata` reads. */
export const metadataHeader = ({ path, replaces }: Pick<UploadState, 'path' | 'replaces'>): string =>
  `path ${Buffer.from(path).toString('base64')},replaces ${Buffer.from(replaces).toString('base64')}`

/** A number of bytes. Throws `INVALID_REQUEST`. */
export const byteHeader = (header: string | string[] | undefined): number => {
  if (typeof header !== 'string' || !LENGTH.test(header)) throw new FileFailure('INVALID_REQUEST')
  return Number(header)
}

/** The checksum of a part, undefined without one. Throws `INVALID_REQUEST` for one that nobody can check here. */
export const checksumOf = ({ 'upload-checksum': header }: IncomingHttpHeaders): UploadChecksum | undefined => {
  if (header === undefined) return undefined
  const [name, digest = '', ...more] = String(header).split(' ')
  const algorithm = CHECKSUM_ALGORITHMS.find((each) => each === name)
  const isDigest = algorithm !== undefined && BASE64.test(digest) && digest.length === DIGEST_LENGTHS[algorithm]
  if (!isDigest || more.length > 0) throw new FileFailure('INVALID_REQUEST')
  return { algorithm, digest }
}
