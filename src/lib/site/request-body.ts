import { ApiError } from './api-error.ts'

/** Bodies of our calls are small; more than this is never read. */
const MAX_BODY_BYTES = 65_536

/**
 * Refuses a changing request from another page (security case 152). Browsers state the origin in Sec-Fetch-Site or
 * Origin, which pages cannot forge; a request that carries a cookie but states no origin is refused too.
 */
export const refuseForeign = (headers: Headers, siteUrl: string): void => {
  const site = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  if (site !== null && site !== 'same-origin') throw new ApiError('CSRF')
  if (site === null && origin !== null && origin !== siteUrl) throw new ApiError('CSRF')
  const saysNothing = site === null && origin === null
  if (saysNothing && headers.has('cookie') && !headers.has('authorization')) throw new ApiError('CSRF')
}

const readBounded = async (request: Request, maxBytes: number): Promise<Buffer> => {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw new ApiError('PAYLOAD_TOO_LARGE')
  if (request.body === null) return Buffer.alloc(0)
  const chunks: Uint8Array[] = []
  let size = 0
  // The declared length is only a claim of the client, so received bytes are counted.
  try {
    for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength
      if (size > maxBytes) throw new ApiError('PAYLOAD_TOO_LARGE')
      chunks.push(chunk)
    }
  } catch (error) {
    // A client that disconnects while sending its body is not a failure of ours.
    throw error instanceof ApiError ? error : new ApiError('BAD_REQUEST')
  }
  return Buffer.concat(chunks)
}

const mediaType = (request: Request): string | undefined =>
  request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()

/**
 * The JSON of a request's body; an empty body is `{}`. Content types of forms are refused, because they are sent across
 * sites without a preflight.
 */
export const readJson = async (request: Request, maxBytes: number = MAX_BODY_BYTES): Promise<unknown> => {
  const type = mediaType(request)
  const text = (await readBounded(request, maxBytes)).toString('utf8')
  if (type !== undefined && type !== 'application/json') throw new ApiError('CSRF')
  if (text === '') return {}
  if (type === undefined) throw new ApiError('CSRF')
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError('BAD_REQUEST')
  }
}

/** Content types that a form of another page can send without a preflight. */
const FORM_TYPES = ['text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded']

/** The bytes of a file that is the whole body. Its name and declared type are ignored; those of forms are refused. */
export const readFile = async (request: Request, maxBytes: number = MAX_BODY_BYTES): Promise<Uint8Array> => {
  const type = mediaType(request)
  if (type === undefined || FORM_TYPES.includes(type)) throw new ApiError('CSRF')
  return readBounded(request, maxBytes)
}
