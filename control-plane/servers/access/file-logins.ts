import type * as z from 'zod'
import type { FromAgent, ToAgent } from '#contracts/agent/session.ts'
import type { LoginAnswer, LoginRequest, OpenLogin } from '#contracts/logins/node-login.ts'
import { INTERNAL_HEADERS } from '#contracts/internal-api/calls.ts'
import {
  CheckedFileLogins,
  FileLoginAnswer,
  type FileLoginRequest,
  type FileLoginsCheck,
} from '#contracts/logins/file-login.ts'
import type { Permission } from '#contracts/panel/permissions.ts'
import { hasRefusalLine, REFUSED_LINES, REFUSED_LINES_WITHIN_MS } from '#contracts/logins/refused-lines.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { Context } from '../../platform/context.ts'
import { recordActivity } from '../../messages/notices/notify-user.ts'
import { readServers } from '../store/server-store.ts'
import { accessOf } from './server-access.ts'

const NEEDED = 'file.sftp' as const satisfies Permission
/** A sign-in waits for its turn at the site; a node waits longer than this. */
const TIMEOUT_MS = 10_000

/** Proves people: only the site has their passwords and keys. Both reject when it does not answer. */
export type SiteLogins = {
  readonly login: (request: FileLoginRequest) => Promise<FileLoginAnswer>
  readonly check: (request: FileLoginsCheck) => Promise<CheckedFileLogins>
}

/** The site's private listener, which has a call of its own for each. */
export const siteLoginsAt = ({ url, secret }: { url: string; secret: string }): SiteLogins => {
  const ask = async <Schema extends z.ZodType>(
    path: string,
    body: unknown,
    schema: Schema,
  ): Promise<z.infer<Schema>> => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [INTERNAL_HEADERS.secret]: secret },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!answer.ok) throw new Error(`The site answered ${answer.status} to ${path}.`)
    return schema.parse(await answer.json())
  }
  return {
    login: (request) => ask('/internal/file-login', request, FileLoginAnswer),
    check: (request) => ask('/internal/file-logins/check', request, CheckedFileLogins),
  }
}

type Deps = { readonly db: Sql; readonly siteLogins: SiteLogins }
type Writer = Pick<Context, 'ids' | 'clock'>

/** The log of the server shows that somebody was refused, a bounded number of times. */
async function noteRefusal(
  db: Sql,
  deps: Writer,
  refused: { type: string; userId: string; serverId: string; address: string; permission?: Permission },
): Promise<void> {
  const { type, userId, serverId, address, permission } = refused
  const nowMs = deps.clock.now()
  const earlier = await db.query<{ created_at: Date }>(
    `select created_at from control.activities where server_id = $1 and user_id = $2 and type = $3 and created_at > $4
     order by created_at desc limit ${REFUSED_LINES}`,
    [serverId, userId, type, new Date(nowMs - REFUSED_LINES_WITHIN_MS)],
  )
  const times = earlier.map((row) => row.created_at.getTime())
  if (!hasRefusalLine(times, nowMs)) return
  const detail = permission === undefined ? {} : { detail: { text: permission } }
  await recordActivity(db, deps, { userId, serverId, address, type, status: 'failure', way: 'sftp', ...detail })
}

/**
 * Signs somebody in at a node. Only servers of that node count, and only for those who may use SFTP on them. A server that
 * is not there, or not theirs, is refused like a wrong password.
 */
export async function fileLogin(
  deps: Deps & Writer,
  { nodeId, request }: { nodeId: string; request: LoginRequest },
): Promise<LoginAnswer> {
  const { db, siteLogins } = deps
  const { username, identifier, address, proof } = request
  const person = await siteLogins.login({ username, address, proof })
  const [server] = await readServers(db, 's.identifier = $1 and s.node_id = $2 and s.deleted_at is null', [
    identifier,
    nodeId,
  ])
  if (!person.ok) {
    const { why, named } = person
    const isTheirs = server && named && (await accessOf(db, { userId: named, isAdmin: false }, server.id))
    if (isTheirs) await noteRefusal(db, deps, { type: 'auth:sftp.fail', userId: named, serverId: server.id, address })
    return { ok: false, why }
  }
  const access = server && (await accessOf(db, person, server.id))
  if (access === undefined) return { ok: false, why: 'refused' }
  if (!access.permissions.includes(NEEDED)) {
    const denied = { userId: person.userId, serverId: access.server.id, address, permission: NEEDED }
    await noteRefusal(db, deps, { type: 'server:sftp.denied', ...denied })
    return { ok: false, why: 'no permission' }
  }
  const { userId, credential } = person
  return { ok: true, userId, serverId: access.server.id, permissions: [...access.permissions], credential }
}

/** The present permissions of open connections of a node, in their order; null for those that must end. */
export async function checkFileLogins(
  { db, siteLogins }: Deps,
  { nodeId, logins }: { nodeId: string; logins: readonly OpenLogin[] },
): Promise<(Permission[] | null)[]> {
  if (logins.length === 0) return []
  const asked = logins.map(({ userId, credential }) => ({ userId, credential }))
  const { grants } = await siteLogins.check({ logins: asked })
  const present: (Permission[] | null)[] = []
  for (const [index, { userId, serverId }] of logins.entries()) {
    const grant = grants[index] ?? null
    const access = grant && (await accessOf(db, { userId, isAdmin: grant.isAdmin }, serverId))
    const holds = access && access.server.nodeId === nodeId && access.permissions.includes(NEEDED)
    present.push(holds ? [...access.permissions] : null)
  }
  return present
}

export type LoginMessage = Extract<FromAgent, { type: 'login' | 'logins' }>

/** The answer to a node's question about people; none while the site is away and open connections wait for it. */
export async function answerLogin(
  deps: Deps & Writer & Pick<Context, 'log'>,
  nodeId: string,
  message: LoginMessage,
): Promise<ToAgent | undefined> {
  const { id } = message
  try {
    if (message.type === 'login') {
      return { type: 'login', id, answer: await fileLogin(deps, { nodeId, request: message.request }) }
    }
    return { type: 'logins', id, permissions: await checkFileLogins(deps, { nodeId, logins: message.open }) }
  } catch (error) {
    deps.log.warn({ nodeId, reason: String(error) }, 'people at a node could not be checked')
    return message.type === 'login' ? { type: 'login', id, answer: { ok: false, why: 'away' } } : undefined
  }
}
