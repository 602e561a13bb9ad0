import { CUSTOMER_SERVERS, type CustomerServer } from '#contracts/http/desk/ticket-customer.ts'
import type { Locale } from '#contracts/locale.ts'
import { isReachableAt } from '#domain/servers/reachability.ts'
import { SERVER_STATES } from '#domain/servers/server-lifecycle.ts'
import { statusOf } from '#domain/servers/status.ts'
import { SERVER_TROUBLES, TROUBLE_DAYS, TROUBLES_SHOWN } from '#domain/servers/server-trouble.ts'
import * as z from 'zod'
import { knownErrorTitle } from '../../messages/mail/templates/known-error-titles.ts'
import type { Context } from '../../platform/context.ts'

const DAY_MS = 86_400_000

const Row = z.object({
  id: z.string(),
  identifier: z.string(),
  name: z.string(),
  state: z.enum(SERVER_STATES),
  suspended: z.boolean(),
  node_renewed_at: z.date().nullable(),
  expires_at: z.date(),
  troubles: z.array(z.object({ type: z.enum(SERVER_TROUBLES), at: z.string(), error: z.string().nullable() })),
})

const shown = (row: z.infer<typeof Row>, { locale, nowMs }: { locale: Locale; nowMs: number }): CustomerServer => {
  const nodeReachable = isReachableAt(row.node_renewed_at?.getTime(), nowMs)
  return {
    id: row.id,
    identifier: row.identifier,
    name: row.name,
    status: statusOf({ state: row.state, suspended: row.suspended, nodeReachable }).word,
    expiry: row.expires_at.toISOString(),
    troubles: row.troubles.map(({ type, at, error }) => ({
      type,
      at: new Date(at).toISOString(),
      reason: knownErrorTitle(error ?? undefined, locale) ?? null,
    })),
  }
}

/** A person's own servers as staff read them beside a ticket, the newest first, with the newest troubles of each. Deleted ones are left out. */
export async function readCustomerServers(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { ownerId, locale }: { ownerId: string; locale: Locale },
): Promise<{ servers: CustomerServer[]; hasMoreServers: boolean }> {
  const nowMs = clock.now()
  const rows = await db.query<Record<string, unknown>>(
    `select s.id, s.identifier, s.name, s.state, s.suspended, s.node_renewed_at, s.expires_at,
       coalesce((select jsonb_agg(jsonb_build_object('type', a.type, 'at', a.created_at, 'error', a.detail ->> 'error')
           order by a.created_at desc, a.id desc)
         from (select a.id, a.type, a.created_at, a.detail from control.activities a
           where a.server_id = s.id and a.done_by <> 'staff' and a.type = any ($3) and a.created_at > $4
           order by a.created_at desc, a.id desc limit $5) a), '[]') as troubles
     from control_api.servers s where s.owner_id = $1 order by s.id desc limit $2`,
    [ownerId, CUSTOMER_SERVERS + 1, SERVER_TROUBLES, new Date(nowMs - TROUBLE_DAYS * DAY_MS), TROUBLES_SHOWN],
  )
  const servers = rows.slice(0, CUSTOMER_SERVERS).map((row) => shown(Row.parse(row), { locale, nowMs }))
  return { servers, hasMoreServers: rows.length > CUSTOMER_SERVERS }
}
