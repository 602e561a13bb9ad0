import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { TokenAnswer } from '#contracts/http/auth.ts'
import { systemIds } from '#platform/ids.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { PASSWORD } from '../support/people.ts'
import { openSite } from '../support/site-routes.ts'
import { openInternalApi } from './internal-api.ts'
import { openShop, shopDatabase } from './shop.ts'

export type ConnectedSite = Awaited<ReturnType<typeof openConnectedSite>>
export type Visitor = { readonly userId: string; readonly headers: Record<string, string> }

/** The row count of each table, without the tables that count requests and sign-ins. */
const countRows = async (sql: Sql, schema: string): Promise<Record<string, number>> => {
  const tables = await sql.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = $1 and table_type = 'BASE TABLE' and table_name not in ('limit_buckets', 'sessions') order by 1`,
    [schema],
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const [row] = await sql.query<{ n: number }>(`select count(*)::int as n from ${schema}."${name}"`)
    counts[`${schema}.${name}`] = row?.n ?? 0
  }
  return counts
}

/**
 * The site's routes with a real internal API behind them: a request passes through both, each on a separate database.
 */
export const openConnectedSite = async () => {
  const database = await shopDatabase()
  const shop = await openShop(database.owner, { nowMs: Date.now() })
  // No hub renews the node's lease, and the test may take longer than it lasts.
  await database.owner.query("update control.agent_sessions set renewed_at = '2100-01-01'")
  const { context, app, ask, files } = await openInternalApi(database.db, { now: Date.now })
  const listener = getRequestListener(app.fetch)
  const server = createServer((request, response) => void listener(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const site = await openSite(url)

  /** Calls the internal API directly, with the exact body. */
  const callRaw = async (name: string, body: string) => {
    const { status, text } = await ask(name, body)
    return { status, json: JSON.parse(text) as unknown }
  }
  let visitors = 0
  const giveRole = async (userId: string | undefined, flag: 'is_admin' | 'is_support') => {
    const { db, ids } = site.identity
    const role = ids.next()
    await db.query(`insert into public.roles (id, name, slug, ${flag}, active) values ($1, $2, $2, true, true)`, [
      role,
      `staff-${visitors}`,
    ])
    await db.query(`insert into public.users_rels (parent_id, path, roles_id) values ($1, 'role', $2)`, [userId, role])
  }
  /** A person with a confirmed address. */
  const visit = async ({ isAdmin = false, isSupport = false } = {}): Promise<Visitor> => {
    const username = `visitor-${(visitors += 1)}`
    const person = { username, email: `${username}@example.test`, password: PASSWORD, passwordConfirm: PASSWORD }
    await site.ask('POST /api/auth/register', { body: { ...person, acceptTerms: true } })
    const { db } = site.identity
    const [user] = await db.query<{ id: string }>(
      'update public.users set verified = true where username = $1 returning id',
      [username],
    )
    if (isAdmin) await giveRole(user?.id, 'is_admin')
    if (isSupport) await giveRole(user?.id, 'is_support')
    const { json } = await site.ask('POST /api/auth/login', { body: { username, password: PASSWORD } })
    return {
      userId: user?.id ?? '',
      headers: { authorization: `Bearer ${TokenAnswer.parse(json).access_token}`, 'idempotency-key': systemIds.next() },
    }
  }
  const counts = async () => ({
    ...(await countRows(database.owner, 'control')),
    ...(await countRows(site.identity.db, 'identity')),
    ...(await countRows(site.identity.db, 'public')),
  })
  const close = async () => {
    await site.close()
    server.closeAllConnections()
    server.close()
    await database.close()
  }
  return { site, database, shop, context, files, callRaw, visit, counts, close }
}
