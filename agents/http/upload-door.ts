import type { IncomingMessage } from 'node:http'
import type { ClientHttp2Session } from 'node:http2'
import { pipeline } from 'node:stream/promises'
import { OVERLOAD } from '#contracts/overload.ts'
import { CONTENT_PERMISSIONS } from '#contracts/panel/node-files.ts'
import type { DownloadTokenClaims, FilesTokenClaims } from '#contracts/panel/token.ts'
import { TUS_VERSION, UPLOAD_CONTENT_TYPE, UPLOAD_MAX_BYTES } from '#contracts/panel/uploads.ts'
import { FileFailure } from '../files/file-failure.ts'
import type { RoomHeaders } from '../files/server-files.ts'
import { answeredJson } from '../files/worker-answers.ts'
import {
  isUploadCall,
  UPLOAD_HEADER,
  UploadAnswer,
  type AskedUploadPart,
  type BegunUpload,
  type UploadAsker,
} from '../files/worker-wire.ts'
import type { FileActivity } from './file-activity.ts'
import { MissingPermission } from './missing-permission.ts'
import { byteHeader, checksumOf, metadataHeader, uploadMetadata } from './upload-headers.ts'

const { stalledMs } = OVERLOAD.agent.files

/** A request about uploads, with the worker of its server. */
export interface UploadRequest {
  readonly request: IncomingMessage
  readonly claims: FilesTokenClaims
  /** Undefined for one that begins an upload. */
  readonly id: string | undefined
  /** Whether the server's files may only be read at the moment. */
  readonly isReadOnly: boolean
  readonly session: ClientHttp2Session
  readonly room: RoomHeaders
}

/** The answer, and the entry of the activity log once a file has its place. */
export interface UploadResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly activity?: FileActivity
}

const headersOf = ({ offset, expiresAtMs, version }: UploadAnswer): Record<string, string> => ({
  'upload-offset': String(offset),
  'upload-expires': new Date(expiresAtMs).toUTCString(),
  'cache-control': 'no-store',
  ...(version === undefined ? {} : { etag: version.etag }),
})

const activityOf = ({ path, version }: UploadAnswer): Pick<UploadResponse, 'activity'> =>
  version === undefined ? {} : { activity: { type: 'server:file.uploaded', detail: path } }

/**
 * Answers a request of the tus protocol 1.0.0 with the extensions creation, termination, checksum and expiration. Throws
 * `FileFailure` and `MissingPermission`.
 */
export const answerUpload = (asked: UploadRequest): Promise<UploadResponse> => {
  const { request, id } = asked
  if (request.headers['tus-resumable'] !== TUS_VERSION) throw new FileFailure('WRONG_VERSION')
  if (id === undefined) return begin(asked)
  if (request.method === 'PATCH') return add(asked, id)
  return request.method === 'HEAD' ? tell(asked, id) : forget(asked, id)
}

const begin = async ({ request, claims, session, room }: UploadRequest): Promise<UploadResponse> => {
  const bytes = byteHeader(request.headers['upload-length'])
  if (bytes > UPLOAD_MAX_BYTES) throw new FileFailure('TOO_LARGE')
  const begun: BegunUpload = {
    ...uploadMetadata(request.headers['upload-metadata']),
    bytes,
    userId: claims.sub,
    by: claims.name,
  }
  const stream = session.request({ ':method': 'POST', ':path': '/upload', ...room })
  stream.end(JSON.stringify(begun))
  const answer = UploadAnswer.parse(await answeredJson(stream))
  return {
    status: 201,
    // Relative, so that it holds behind a proxy that adds a path.
    headers: { ...headersOf(answer), location: `uploads/${answer.id ?? ''}` },
    ...activityOf(answer),
  }
}

const ask = ({ claims, session, room }: UploadRequest, method: string, asked: Omit<AskedUploadPart, 'userId'>) => {
  const about: AskedUploadPart = { ...asked, userId: claims.sub }
  return session.request({
    ':method': method,
    ':path': '/upload',
    [UPLOAD_HEADER]: JSON.stringify(about),
    ...room,
  })
}

const tell = async (asked: UploadRequest, id: string): Promise<UploadResponse> => {
  const { claims, isReadOnly } = asked
  const rights = { mayPlace: !isReadOnly, mayReplace: claims.permissions.includes(CONTENT_PERMISSIONS.replace) }
  const stream = ask(asked, 'GET', { id, rights })
  const answer = UploadAnswer.parse(await answeredJson(stream))
  const about = { 'upload-length': String(answer.bytes), 'upload-metadata': metadataHeader(answer) }
  return { status: 200, headers: { ...headersOf(answer), ...about }, ...activityOf(answer) }
}

const add = async (asked: UploadRequest, id: string): Promise<UploadResponse> => {
  const { request, claims } = asked
  const { 'content-type': type, 'content-length': length, 'upload-offset': offset } = request.headers
  if (type !== UPLOAD_CONTENT_TYPE) throw new FileFailure('WRONG_TYPE')
  const checksum = checksumOf(request.headers)
  const part: AskedUploadPart['part'] = {
    offset: byteHeader(offset),
    mayReplace: claims.permissions.includes(CONTENT_PERMISSIONS.replace),
    ...(length === undefined ? {} : { bytes: byteHeader(length) }),
    ...(checksum === undefined ? {} : { checksum }),
  }
  request.setTimeout(stalledMs, () => request.destroy())
  const stream = ask(asked, 'PATCH', { id, part })
  // A client that is gone ends its part; the worker keeps the bytes that arrived.
  const sent = pipeline(request, stream, { end: true }).catch(() => stream.destroy())
  try {
    const answer = UploadAnswer.parse(await answeredJson(stream))
    await sent
    return { status: 204, headers: headersOf(answer), ...activityOf(answer) }
  } catch (error) {
    const isMissing = error instanceof FileFailure && error.code === 'FORBIDDEN'
    throw isMissing ? new MissingPermission(CONTENT_PERMISSIONS.replace) : error
  }
}

/** The body of a call for the worker, with who asks where that decides. */
export const askedBy = (claims: FilesTokenClaims | DownloadTokenClaims, call: string, body: unknown): unknown => {
  if (!isUploadCall(call) || claims.purpose !== 'files') return body
  const asker: UploadAsker = { userId: claims.sub, mayAll: claims.permissions.includes(CONTENT_PERMISSIONS.replace) }
  return { ...(body as object), asker }
}

const forget = async (asked: UploadRequest, id: string): Promise<UploadResponse> => {
  const stream = ask(asked, 'DELETE', { id })
  stream.end()
  await answeredJson(stream)
  return { status: 204, headers: {} }
}
