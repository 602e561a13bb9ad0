import type { DepartureFigures } from '#contracts/http/privacy.ts'
import type { ServerState } from '#domain/servers/server-lifecycle.ts'
import { countsAsRunning, openPaymentsSinceMs } from '#domain/departures/account-deletion.ts'
import { readDebtFt } from '../money/wallet/debt.ts'
import type { Ledger } from '../money/ledger/ledger.ts'
import type { Clock } from '#platform/clock.ts'
import type { Sql } from '#platform/postgres/database.ts'

type ServerRow = {
  id: string
  name: string
  expires_at: Date
  desired_power: 'running' | 'stopped'
  suspended: boolean
  state: ServerState | null
}

type Reader = { readonly clock: Clock; readonly ledgerOn: (sql: Sql) => Pick<Ledger, 'userBalance' | 'account'> }

/** The balance, debts, open orders and servers that an account's deletion would affect. */
export async function readDeparture(
  sql: Sql,
  { clock, ledgerOn }: Reader,
  userId: string,
): Promise<DepartureFigures & { readonly heldFt: number }> {
  const nowMs = clock.now()
  const ledger = ledgerOn(sql)
  const balance = await ledger.userBalance(userId, 'HUF')
  const [open] = await sql.query<{ orders: number; payments: number }>(
    `select (select count(*)::int from control.orders where user_id = $1 and state = 'provisioning') as orders,
       (select count(*)::int from control.payments where user_id = $1 and created_at > $2
          and state in ('created', 'pending', 'requires_action'))
       -- Money that a provider is asked to send back may come again, however long it takes.
         + (select count(*)::int from control.refunds where user_id = $1 and state in ('requested', 'pending')) as payments`,
    [userId, new Date(openPaymentsSinceMs(nowMs))],
  )
  const servers = await sql.query<ServerRow>(
    `select s.id, s.name, s.expires_at, s.desired_power, s.suspended, o.state
     from control.servers s left join control.server_state o on o.server_id = s.id
     where s.owner_id = $1 and s.deleted_at is null and s.desired <> 'deleted' order by s.id`,
    [userId],
  )
  return {
    balanceFt: Number(balance.available.minor),
    heldFt: Number(balance.held.minor),
    debtFt: Number(await readDebtFt(ledger, userId)),
    openOrders: open?.orders ?? 0,
    openPayments: open?.payments ?? 0,
    servers: servers.map((server) => ({
      id: server.id,
      name: server.name,
      isRunning: countsAsRunning(
        {
          state: server.state,
          wantsToRun: server.desired_power === 'running',
          suspended: server.suspended,
          expiresAtMs: server.expires_at.getTime(),
        },
        nowMs,
      ),
      expiresAt: server.expires_at.toISOString(),
    })),
  }
}
