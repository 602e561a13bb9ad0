import type { Context } from '../platform/context.ts'
import type { Metrics } from '../platform/metrics.ts'

/**
 * Looks the whole ledger through for broken rules and alarms for each: a line of the log and a figure that operators watch.
 * Resolves with the number of rows that break a rule, 0 when all is well.
 */
export async function auditLedger({ db, log }: Pick<Context, 'db' | 'log'>, metrics: Metrics): Promise<number> {
  const broken = await db.transaction(async (tx) => {
    // Every entry there ever was is read, which takes longer than what a customer waits for.
    await tx.query(`set local statement_timeout = '10min'`)
    return tx.query<{ rule: string; rows: number; subject: string }>(
      'select rule, count(*)::int as rows, min(subject) as subject from control.ledger_violations group by rule order by rule',
    )
  })
  metrics.ledgerViolations.reset()
  for (const { rule, rows, subject } of broken) {
    metrics.ledgerViolations.set({ rule }, rows)
    log.error({ rule, rows, subject }, 'the ledger breaks a rule')
  }
  return broken.reduce((sum, { rows }) => sum + rows, 0)
}
