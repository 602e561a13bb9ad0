import type { Gauge } from 'prom-client'
import type { Context } from '../../platform/context.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { Sql } from '#platform/postgres/database.ts'

type Broken = { rule: string; rows: number; subject: string }

/** Every rule that a view reports as broken, with the number of violating rows and one of them. */
async function brokenRules(tx: Sql, view: 'ledger_violations' | 'ledger_recent_violations'): Promise<Broken[]> {
  // Many entries are read, which takes longer than a customer-facing statement may.
  await tx.query(`set local statement_timeout = '10min'`)
  return tx.query<Broken>(
    `select rule, count(*)::int as rows, min(subject) as subject from control.${view} group by rule order by rule`,
  )
}

function alarm(broken: readonly Broken[], { log }: Pick<Context, 'log'>, gauge: Gauge<'rule'>): number {
  gauge.reset()
  for (const { rule, rows, subject } of broken) {
    gauge.set({ rule }, rows)
    log.error({ rule, rows, subject }, 'the ledger breaks a rule')
  }
  return broken.reduce((sum, { rows }) => sum + rows, 0)
}

/**
 * Checks the whole ledger for broken rules and alarms for each: a log line and a metric. Resolves with the number of
 * violating rows, 0 when all is well.
 */
export async function auditLedger({ db, log }: Pick<Context, 'db' | 'log'>, metrics: Metrics): Promise<number> {
  const broken = await db.transaction((tx) => brokenRules(tx, 'ledger_violations'))
  return alarm(broken, { log }, metrics.ledgerViolations)
}

/**
 * Checks everything written since the last clean pass, and alarms as the full check does. Only a clean pass moves the
 * checkpoints, so a violation is found again every time. Resolves with the number of violating rows.
 */
export async function auditRecentLedger(
  { db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>,
  metrics: Metrics,
): Promise<number> {
  const broken = await db.transaction(async (tx) => {
    // The checked rows and the checkpoints must belong to one snapshot, whatever is posted meanwhile.
    await tx.query('set transaction isolation level repeatable read')
    const found = await brokenRules(tx, 'ledger_recent_violations')
    if (found.length === 0) await moveCheckpoints(tx, clock.now())
    return found
  })
  return alarm(broken, { log }, metrics.ledgerRecentViolations)
}

const moveCheckpoints = (tx: Sql, nowMs: number) =>
  tx.query(
    `insert into control.ledger_checkpoints as c (account_id, seq, link, balance_minor, checked_at)
     select a.id, e.seq, e.link, e.balance_after, $1 from control.ledger_accounts a
     join control.ledger_entries e on e.account_id = a.id and e.seq = a.version
     left join control.ledger_checkpoints k on k.account_id = a.id
     where k.seq is distinct from a.version
     on conflict (account_id) do update set seq = excluded.seq, link = excluded.link,
       balance_minor = excluded.balance_minor, checked_at = excluded.checked_at`,
    [new Date(nowMs)],
  )
