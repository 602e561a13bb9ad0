import type { IncomingMessage } from 'node:http'
import { OVERLOAD } from '#contracts/overload.ts'
import {
  CONTENT_PERMISSIONS,
  DOWNLOAD_PERMISSION,
  NODE_FILE_CALLS,
  type NodeFileCall,
} from '#contracts/panel/node-files.ts'
import { partsOfPath } from '#contracts/panel/file-path.ts'
import type { Permission } from '#contracts/panel/permissions.ts'
import { FileFailure } from '../files/file-failure.ts'
import { uploadMetadata } from './upload-headers.ts'

const PATH = /^\/servers\/([0-9a-f-]{36})\/(?:files\/([a-z-]+)(?:\/([0-9a-f-]{36}))?|(download))$/

/** A request about files, before its token is checked. */
export type FileRequest =
  | { readonly kind: 'call'; readonly serverId: string; readonly call: NodeFileCall }
  | { readonly kind: 'content'; readonly serverId: string; readonly path: string; readonly version: string | null }
  | { readonly kind: 'download'; readonly serverId: string; readonly token: string }
  | { readonly kind: 'uploads'; readonly serverId: string }
  | { readonly kind: 'upload'; readonly serverId: string; readonly id: string }
  | { readonly kind: 'unknown'; readonly serverId: string }

const isCall = (name: string): name is NodeFileCall => Object.hasOwn(NODE_FILE_CALLS, name)

/** Reads path and query; undefined for an address that is not about files. */
export const fileRequestOf = (url: string | undefined): FileRequest | undefined => {
  const [address = '', query] = (url ?? '').split('?')
  const [, serverId, name = '', id, download] = PATH.exec(address) ?? []
  if (serverId === undefined) return undefined
  const search = new URLSearchParams(query)
  if (download !== undefined) return { kind: 'download', serverId, token: search.get('token') ?? '' }
  if (name === 'uploads') return id === undefined ? { kind: 'uploads', serverId } : { kind: 'upload', serverId, id }
  if (id !== undefined) return { kind: 'unknown', serverId }
  if (name === 'content') {
    return { kind: 'content', serverId, path: search.get('path') ?? '', version: search.get('version') }
  }
  return isCall(name) ? { kind: 'call', serverId, call: name } : { kind: 'unknown', serverId }
}

/** Calls that change nothing here; a transfer that does says so in its body. */
const LOOKS: readonly NodeFileCall[] = [
  'list',
  'search',
  'folder-size',
  'history',
  'usage',
  'running-since',
  'bin',
  'jobs',
  'end-job',
  'sftp',
  'transfer',
  'open-uploads',
  'upload-sums',
  'end-upload',
]

/** Whether the request changes something: refused for servers that are expired or suspended. */
export const isChange = (request: FileRequest, method: string | undefined): boolean => {
  if (request.kind === 'content') return method === 'PUT'
  if (request.kind === 'upload') return method === 'PATCH'
  return request.kind === 'uploads' || (request.kind === 'call' && !LOOKS.includes(request.call))
}

/** Calls that end what somebody began, or write on another server. */
const DEEDS: readonly NodeFileCall[] = ['end-job', 'end-upload', 'transfer', 'upload-sums']

/** Whether the request only looks: all that somebody may do who looks at a server as a collaborator. */
export const isLook = (request: FileRequest, method: string | undefined): boolean =>
  request.kind !== 'upload' && !isChange(request, method) && !(request.kind === 'call' && DEEDS.includes(request.call))

/** Whether the address is one of the uploads in parts. */
export const isAboutUploads = (url: string | undefined): boolean => {
  const kind = fileRequestOf(url)?.kind
  return kind === 'uploads' || kind === 'upload'
}

/** The permissions that a request needs, all of them. Throws `FileFailure` for an upload that says nothing of its file. */
export const permissionsFor = (
  request: FileRequest,
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
): readonly Permission[] => {
  if (request.kind === 'call') return [NODE_FILE_CALLS[request.call].permission]
  if (request.kind === 'download') return [DOWNLOAD_PERMISSION]
  if (request.kind === 'upload') return [CONTENT_PERMISSIONS.create]
  if (request.kind === 'uploads') {
    const isNew = uploadMetadata(headers['upload-metadata']).replaces === 'new'
    return isNew ? [CONTENT_PERMISSIONS.create] : [CONTENT_PERMISSIONS.create, CONTENT_PERMISSIONS.replace]
  }
  if (method !== 'PUT') return [CONTENT_PERMISSIONS.read]
  if (headers['if-match'] !== undefined) return [CONTENT_PERMISSIONS.replace]
  if (headers['if-none-match'] === '*') return [CONTENT_PERMISSIONS.create]
  return [CONTENT_PERMISSIONS.create, CONTENT_PERMISSIONS.replace]
}

/** The allowed methods of each kind. */
export const METHODS: Readonly<Record<FileRequest['kind'], readonly string[]>> = {
  call: ['POST'],
  content: ['GET', 'PUT'],
  download: ['GET', 'HEAD'],
  uploads: ['POST'],
  upload: ['HEAD', 'PATCH', 'DELETE'],
  unknown: [],
}

const { bodyBytes, bodyMs } = OVERLOAD.agent.files

/** The body of a call as its row of the contract defines it. Throws `FileFailure`. */
export const readCall = async (call: NodeFileCall, request: IncomingMessage): Promise<unknown> => {
  const late = setTimeout(() => request.destroy(), bodyMs)
  const pieces: Buffer[] = []
  let bytes = 0
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      bytes += piece.length
      if (bytes > bodyBytes) throw new FileFailure('TOO_LARGE')
      pieces.push(piece)
    }
  } finally {
    clearTimeout(late)
  }
  let body: unknown
  try {
    body = JSON.parse(Buffer.concat(pieces).toString('utf8'))
  } catch {
    throw new FileFailure('INVALID_REQUEST')
  }
  const parsed = NODE_FILE_CALLS[call].input.safeParse(body)
  if (parsed.success) return parsed.data
  const isPath = parsed.error.issues.some(
    ({ path, code }) =>
      // Too many of them are no fault of a path.
      code !== 'too_big' &&
      path.some((part) => ['path', 'paths', 'from', 'to', 'folder', 'names', 'name'].includes(String(part))),
  )
  throw new FileFailure(isPath ? 'INVALID_PATH' : 'INVALID_REQUEST')
}

/** The path of a file's content. Throws `INVALID_PATH`. */
export const contentPath = (path: string): string => {
  if (path === '' || partsOfPath(path) === undefined) throw new FileFailure('INVALID_PATH')
  return path
}
