import type { IncomingMessage } from 'node:http'
import { INTERNAL_HEADERS } from '#contracts/internal-api/calls.ts'
import { FileLoginRequest, FileLoginsCheck } from '#contracts/logins/file-login.ts'
import { isRightSecret } from '#platform/right-secret.ts'
import type { IdentityContext } from '../identity/context/context.ts'
import { isHasherBusy } from '../identity/context/password-hasher.ts'
import { checkFileLogins, fileLogin } from '../identity/file-access/file-login.ts'
import type { InternalAnswer } from './private-listener.ts'

const MAX_BODY_BYTES = 512 * 1024

type Deps = { readonly secret: string; readonly identity: () => IdentityContext }

const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > MAX_BODY_BYTES) return undefined
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

const CALLS: Readonly<Record<string, (context: IdentityContext, body: unknown) => Promise<InternalAnswer>>> = {
  '/internal/file-login': fileLoginCall,
  '/internal/file-logins/check': checkCall,
}

/** The calls that only the control plane makes: it has the secret, and people's passwords never leave this program. */
export const internalCalls =
  ({ secret, identity }: Deps) =>
  async (request: IncomingMessage, path: string): Promise<InternalAnswer | undefined> => {
    const call = CALLS[path]
    if (call === undefined) return undefined
    const sent = request.headers[INTERNAL_HEADERS.secret]?.toString()
    if (!isRightSecret(sent, secret)) return { status: 401, body: { error: 'secret' } }
    return call(identity(), await bodyOf(request))
  }
