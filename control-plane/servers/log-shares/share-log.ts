import type { ErrorCode } from '#contracts/http/errors.ts'
import {
  LOG_SHARE_TOKEN,
  type LogShare,
  type LogShareRequest,
  type SharedLog,
} from '#contracts/http/panel/log-share.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { PERMISSION_OF_CALL } from '#contracts/panel/permissions.ts'
import {
  LOG_SHARE_BOUNDS,
  hasTooManyLines,
  logShareEndMs,
  logShareFault,
  sharedText,
} from '#domain/servers/log-share.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { isSuspended, readPerson } from '../../cms/cms-reader.ts'
import { recordActivity } from '../../messages/notices/notify-user.ts'
import type { Context } from '../../platform/context.ts'
import { accessOf, lockedAccess, type ServerAccess } from '../access/server-access.ts'
import { deleteLogShare, findShare, insertShare, openShares, shownShare } from './log-share-store.ts'

const PERMISSION = PERMISSION_OF_CALL['POST /api/server/{id}/log-shares']
const TOKEN_BYTES = 24

type Asked = {
  readonly caller: Pick<Caller, 'userId' | 'isAdmin' | 'address' | 'way'> & Partial<Pick<Caller, 'seesAs'>>
  readonly serverId: string
}

export type LogShareRefusal = {
  readonly ok: false
  readonly code: Extract<
    ErrorCode,
    'NOT_FOUND' | 'FORBIDDEN' | 'SERVER_SUSPENDED' | 'VALIDATION' | 'LOG_SHARE_EMPTY' | 'LOG_SHARE_LIMIT'
  >
  readonly permission?: string
  readonly fields?: Readonly<Record<string, string>>
}
const refuse = (code: LogShareRefusal['code']): LogShareRefusal => ({ ok: false, code })

/** Why somebody with this access shares nothing of the console; null if they may. */
const refusalOf = (access: ServerAccess | undefined): LogShareRefusal | null => {
  if (!access) return refuse('NOT_FOUND')
  if (access.server.suspended && !access.isStaff) return refuse('SERVER_SUSPENDED')
  if (!access.permissions.includes(PERMISSION)) return { ok: false, code: 'FORBIDDEN', permission: PERMISSION }
  return null
}

/** The owner and staff see and end everybody's links. Null stands for everybody. */
const makerSeenBy = ({ userId, seesAs }: Asked['caller'], { server, isStaff }: ServerAccess): string | null => {
  const viewer = seesAs ?? userId
  return isStaff || server.ownerId === viewer ? null : viewer
}

/** The open links of a server that the caller sees. */
export async function listLogShares(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { caller, serverId }: Asked,
): Promise<{ readonly ok: true; readonly items: LogShare[] } | LogShareRefusal> {
  const access = await accessOf(db, caller, serverId)
  const refusal = refusalOf(access)
  if (refusal || !access) return refusal ?? refuse('NOT_FOUND')
  const shares = await openShares(db, { serverId, madeBy: makerSeenBy(caller, access), nowMs: clock.now() })
  return { ok: true, items: shares.map((share) => shownShare(share, caller.userId)) }
}

const record = (tx: Sql, context: Context, done: Asked & { readonly type: string }): Promise<void> => {
  const { serverId, type } = done
  const { userId, address, way } = done.caller
  return recordActivity(tx, context, { userId, address, way, serverId, type, status: 'success' })
}

/**
 * Stores a range of a log and returns its link. The range is redacted here, whatever the browser did: other text never
 * reaches the database.
 */
export function createLogShare(
  context: Context,
  { request, ...asked }: Asked & { readonly request: LogShareRequest },
): Promise<{ readonly ok: true; readonly share: LogShare; readonly path: string } | LogShareRefusal> {
  const { caller, serverId } = asked
  const text = hasTooManyLines(request.text) ? null : sharedText(request.text)
  return context.db.transaction(async (tx) => {
    const refusal = refusalOf(await lockedAccess(tx, caller, serverId))
    if (refusal) return refusal
    const fault = text === null ? 'too-long' : logShareFault(text)
    if (fault === 'empty') return refuse('LOG_SHARE_EMPTY')
    if (text === null || fault !== null) return { ok: false, code: 'VALIDATION', fields: { text: fault ?? 'too-long' } }
    const nowMs = context.clock.now()
    const open = await openShares(tx, { serverId, madeBy: null, nowMs })
    if (open.length >= LOG_SHARE_BOUNDS.open) return refuse('LOG_SHARE_LIMIT')
    const token = Buffer.from(context.ids.bytes(TOKEN_BYTES)).toString('base64url')
    const endsMs = logShareEndMs(request.hours, nowMs)
    const share = { id: context.ids.next(), token, serverId, madeBy: caller.userId, text, createdMs: nowMs, endsMs }
    const row = await insertShare(tx, share)
    await record(tx, context, { ...asked, type: 'server:console.share' })
    return { ok: true, share: shownShare(row, caller.userId), path: `/log/${token}` }
  })
}

/** Ends a link before its time: the maker's own, for the server's owner everybody's. */
export function endLogShare(
  context: Context,
  { shareId, ...asked }: Asked & { readonly shareId: string },
): Promise<{ readonly ok: true } | LogShareRefusal> {
  const { caller, serverId } = asked
  return context.db.transaction(async (tx) => {
    const access = await lockedAccess(tx, caller, serverId)
    const refusal = refusalOf(access)
    if (refusal || !access) return refusal ?? refuse('NOT_FOUND')
    const madeBy = makerSeenBy(caller, access)
    const isEnded = await deleteLogShare(tx, { serverId, shareId, madeBy, nowMs: context.clock.now() })
    if (!isEnded) return refuse('NOT_FOUND')
    await record(tx, context, { ...asked, type: 'server:console.unshare' })
    return { ok: true }
  })
}

/**
 * The range behind a link, for everybody who has it. It ends with its time, with its server, and as soon as its maker may
 * no longer read the console or is suspended. Null for every other token.
 */
export async function readSharedLog(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  token: string,
): Promise<SharedLog | null> {
  if (!LOG_SHARE_TOKEN.test(token)) return null
  const found = await findShare(db, { token, nowMs: clock.now() })
  if (!found) return null
  const maker = await readPerson(db, found.madeBy)
  if (!maker || (await isSuspended(db, maker.id))) return null
  const access = await accessOf(db, { userId: maker.id, isAdmin: maker.is_admin }, found.serverId)
  return refusalOf(access) === null ? found.log : null
}
