import type { IncomingMessage } from 'node:http'
import { OVERLOAD } from '#contracts/overload.ts'
import type { AgentCall } from '#contracts/panel/agent-http.ts'
import { NODE_FILE_CALLS, type NodeFileCall } from '#contracts/panel/node-files.ts'
import { partsOfPath } from '#contracts/panel/file-path.ts'
import type { Permission } from '#contracts/panel/permissions.ts'
import { FileFailure } from '../files/file-failure.ts'
import { uploadMetadata } from './upload-headers.ts'

/** The token in `Authorization`; empty without one. */
export const bearerOf = ({ headers }: Pick<IncomingMessage, 'headers'>): string =>
  /^Bearer ([\w.-]+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''

/** The changes that a request may make to the file that it writes. */
interface Writes {
  readonly creates: boolean
  readonly replaces: boolean
}

const writesOf = ({ serves }: AgentCall, { headers }: Pick<IncomingMessage, 'headers'>): Writes => {
  if (serves === 'uploads') {
    return { creates: true, replaces: uploadMetadata(headers['upload-metadata']).replaces !== 'new' }
  }
  if (serves !== 'content') return { creates: false, replaces: false }
  const isOld = headers['if-match'] !== undefined
  return { creates: !isOld, replaces: isOld || headers['if-none-match'] !== '*' }
}

/** The permissions of the row that hold for this request: always, and those of what it may do to a file. */
export const neededBy = (
  { permissions }: Pick<AgentCall, 'permissions'>,
  { creates, replaces }: Writes = { creates: false, replaces: false },
): readonly Permission[] => [
  ...(permissions.always === undefined ? [] : [permissions.always]),
  ...(creates && permissions.creates !== undefined ? [permissions.creates] : []),
  ...(replaces && permissions.replaces !== undefined ? [permissions.replaces] : []),
]

/** The permissions that a request needs, all of them. Throws `FileFailure` for an upload that says nothing of its file. */
export const permissionsFor = (call: AgentCall, request: Pick<IncomingMessage, 'headers'>): readonly Permission[] =>
  neededBy(call, writesOf(call, request))

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
