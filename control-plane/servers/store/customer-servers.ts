import { CUSTOMER_SERVERS, type CustomerServer } from '#contracts/http/desk/ticket-customer.ts'
import type { Locale } from '#contracts/locale.ts'
import { isReachableAt } from '#domain/servers/reachability.ts'
import { SERVER_STATES } from '#domain/servers/server-lifecycle.ts'
import { statusOf } from '#domain/servers/status.ts'
import * as z from 'zod'
import { errorTitle } from '../../messages/mail/templates/known-error-titles.ts'
import type { Context } from '../../platform/context.ts'
import { newestTroubles, type NewestTrouble } from './newest-troubles.ts'

const Row = z.object({
  id: z.string(),
  identifier: z.string(),
  name: z.string(),
  state: z.enum(SERVER_STATES),
  suspended: z.boolean(),
  node_renewed_at: z.date().nullable(),
  expires_at: z.date(),
})

const shown = (
  row: z.infer<typeof Row>,
  { troubles, locale, nowMs }: { troubles: readonly NewestTrouble[]; locale: Locale; nowMs: number },
): CustomerServer => {
  const nodeReachable = isReachableAt(row.node_renewed_at?.getTime(), nowMs)
  return {
    id: row.id,
    identifier: row.identifier,
    name: row.name,
    status: statusOf({ state: row.state, suspended: row.suspended, nodeReachable }).word,
    expiry: row.expires_at.toISOString(),
    troubles: troubles.map(({ type, at, ...named }) => ({ type, at, reason: errorTitle(named, locale) ?? null })),
  }
}

/** A person's own servers as staff read them beside a ticket, the newest first, with the newest troubles of each. Deleted ones are left out. */
export async function readCustomerServers(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { ownerId, locale }: { ownerId: string; locale: Locale },
): Promise<{ servers: CustomerServer[]; hasMoreServers: boolean }> {
  const nowMs = clock.now()
  const rows = await db.query<Record<string, unknown>>(
    `select s.id, s.identifier, s.name, s.state, s.suspended, s.node_renewed_at, s.expires_at
     from control_api.servers s where s.owner_id = $1 order by s.id desc limit $2`,
    [ownerId, CUSTOMER_SERVERS + 1],
  )
  const owned = rows.slice(0, CUSTOMER_SERVERS).map((row) => Row.parse(row))
  const found = await newestTroubles(db, { serverIds: owned.map(({ id }) => id), nowMs, withLines: false })
  const servers = owned.map((row) => shown(row, { troubles: found.get(row.id) ?? [], locale, nowMs }))
  return { servers, hasMoreServers: rows.length > CUSTOMER_SERVERS }
}
