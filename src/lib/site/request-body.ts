import { ApiError } from './api-error.ts'

/** Bodies of our calls are small; nothing reads more than this. */
const MAX_BODY_BYTES = 65_536

/**
 * Refuses a changing request that another page made (security case 152). A browser says by Sec-Fetch-Site or Origin where
 * a request comes from and no page can forge that; a request that carries a cookie and says nothing is refused too.
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
  // The declared length is the client's word: what arrives is counted.
  try {
    for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength
      if (size > maxBytes) throw new ApiError('PAYLOAD_TOO_LARGE')
      chunks.push(chunk)
    }
  } catch (error) {
    // A client that goes away in the middle of its body is no failure of ours.
    throw error instanceof ApiError ? error : new ApiError('BAD_REQUEST')
  }
  return Buffer.concat(chunks)
}

const mediaType = (request: Request): string | undefined =>
  request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()

/** The JSON of a request's body; an empty body is `{}`. A form's content types are refused: they cross sites without asking. */
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

/** What a form of another page can send without asking first. */
const FORM_TYPES = ['text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded']

/** The bytes of a file that is a request's whole body. Its name and declared type mean nothing; those of forms are refused. */
export const readFile = async (request: Request, maxBytes: number = MAX_BODY_BYTES): Promise<Uint8Array> => {
  const type = mediaType(request)
  if (type === undefined || FORM_TYPES.includes(type)) throw new ApiError('CSRF')
  return readBounded(request, maxBytes)
}
