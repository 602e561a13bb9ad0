import * as z from 'zod'
import { LOG_SHARE_BOUNDS } from '#domain/servers/log-share.ts'
import { LogShareCreated, LogShareList, LogSharePath, LogShareRequest } from '../http/panel/log-share.ts'
import { Id, Nothing } from '../primitives.ts'

const ServerPath = z.object({ id: Id })
/** JSON writes the first character of a colour with six. */
const MAX_BYTES = 3 * LOG_SHARE_BOUNDS.bytes

/** Rows of the API table: ranges of a server's log that are shared as links. */
export const LOG_SHARE_ROUTES = {
  'GET /api/server/{id}/log-shares': {
    summary: "List the open links to shared ranges of a server's log",
    auth: 'user',
    limit: 'read',
    path: ServerPath,
    call: 'log-shares',
    idAs: 'serverId',
    output: LogShareList,
  },
  'POST /api/server/{id}/log-shares': {
    summary: "Share a range of a server's log as a link, without addresses and tokens",
    auth: 'user',
    limit: 'sharing',
    path: ServerPath,
    input: LogShareRequest,
    maxBytes: MAX_BYTES,
    call: 'create-log-share',
    idAs: 'serverId',
    inputAs: 'request',
    output: LogShareCreated,
    status: 201,
  },
  'DELETE /api/server/{id}/log-shares/{shareId}': {
    summary: 'End a link to a shared range of a log',
    auth: 'user',
    limit: 'sharing',
    path: LogSharePath,
    output: Nothing,
  },
} as const
