import type { IncomingMessage } from 'node:http'
import { INTERNAL_HEADERS } from '#contracts/internal-api/calls.ts'
import { PictureToRewrite, type RewrittenPicture } from '#contracts/internal-api/picture.ts'
import { FileLoginRequest, FileLoginsCheck } from '#contracts/logins/file-login.ts'
import { ATTACHMENT_BOUNDS } from '#domain/tickets/attachment.ts'
import { isRightSecret } from '#platform/right-secret.ts'
import type { IdentityContext } from '../identity/context/context.ts'
import { isHasherBusy } from '../identity/context/password-hasher.ts'
import { checkFileLogins, fileLogin } from '../identity/file-access/file-login.ts'
import { rewritePicture } from '../identity/people/rewrite-picture.ts'
import type { InternalAnswer } from './private-listener.ts'

const MAX_BODY_BYTES = 512 * 1024
/** A picture in base64. */
const MAX_PICTURE_BODY_BYTES = 16 * 1024 * 1024

type Deps = { readonly secret: string; readonly identity: () => IdentityContext }

const bodyOf = async (request: IncomingMessage, maxBytes: number): Promise<unknown> => {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > maxBytes) return undefined
    pieces.push(piece)
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'))
  } catch {
    return undefined
  }
}

const fileLoginCall = async (context: IdentityContext, body: unknown): Promise<InternalAnswer> => {
  const request = FileLoginRequest.safeParse(body)
  if (!request.success) return { status: 400, body: { error: 'body' } }
  try {
    return { status: 200, body: await fileLogin(context, request.data) }
  } catch (error) {
    if (isHasherBusy(error)) return { status: 200, body: { ok: false, why: 'too many' } }
    throw error
  }
}

const checkCall = async (context: IdentityContext, body: unknown): Promise<InternalAnswer> => {
  const request = FileLoginsCheck.safeParse(body)
  if (!request.success) return { status: 400, body: { error: 'body' } }
  return { status: 200, body: await checkFileLogins(context, request.data) }
}

const pictureCall = async (_context: IdentityContext, body: unknown): Promise<InternalAnswer> => {
  const request = PictureToRewrite.safeParse(body)
  if (!request.success) return { status: 400, body: { error: 'body' } }
  const picture = await rewritePicture(Buffer.from(request.data.bytes, 'base64'))
  const isKept = picture.ok && picture.data.length <= ATTACHMENT_BOUNDS.bytes
  const answer: RewrittenPicture = isKept ? { ok: true, bytes: picture.data.toString('base64') } : { ok: false }
  return { status: 200, body: answer }
}

const PICTURE_CALL = '/internal/picture'
const CALLS: Readonly<Record<string, (context: IdentityContext, body: unknown) => Promise<InternalAnswer>>> = {
  '/internal/file-login': fileLoginCall,
  '/internal/file-logins/check': checkCall,
  [PICTURE_CALL]: pictureCall,
}

/** The calls that only the control plane makes: it has the secret, and people's passwords and the decoder of pictures never leave this program. */
export const internalCalls =
  ({ secret, identity }: Deps) =>
  async (request: IncomingMessage, path: string): Promise<InternalAnswer | undefined> => {
    const call = CALLS[path]
    if (call === undefined) return undefined
    const sent = request.headers[INTERNAL_HEADERS.secret]?.toString()
    if (!isRightSecret(sent, secret)) return { status: 401, body: { error: 'secret' } }
    const maxBytes = path === PICTURE_CALL ? MAX_PICTURE_BODY_BYTES : MAX_BODY_BYTES
    return call(identity(), await bodyOf(request, maxBytes))
  }
