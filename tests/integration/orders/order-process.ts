import { FaultPlan } from '#platform/fault-plan.ts'
import { checkPayment } from '../../../control-plane/money/payments/settle-payment.ts'
import { startTopUp, type StartTopUp } from '../../../control-plane/money/payments/start-top-up.ts'
import { convertServer, type ConvertCommand } from '../../../control-plane/money/conversion/convert-server.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import { faultPointsOf } from '#platform/fault-point.ts'
import { openPostgres } from '#platform/postgres/database.ts'
import { renewServer, type RenewCommand } from '../../../control-plane/money/renewals/renew-server.ts'
import { confirmWithdrawal } from '../../../control-plane/money/withdrawal/confirm-withdrawal.ts'
import type { ConfirmWithdrawal } from '../../../control-plane/money/withdrawal/withdrawal-context.ts'
import { APPLICATION_ROLE } from '../../factories/control-database.ts'
import { paymentContext } from '../../factories/till.ts'

/** The work of the process, as JSON in the environment variable WORK. */
export type Work =
  | { do: 'place'; command: Parameters<typeof placeOrder>[1] }
  | { do: 'settle'; outcome: Parameters<typeof settleOrder>[1] }
  | { do: 'renew'; command: RenewCommand; nowMs: number }
  | { do: 'withdraw'; command: ConfirmWithdrawal; nowMs: number }
  | { do: 'convert'; command: ConvertCommand; nowMs: number }
  | { do: 'top-up'; command: StartTopUp }
  | { do: 'check-payment'; paymentId: string }

const work = JSON.parse(process.env['WORK'] ?? '{}') as Work
const db = openPostgres({
  url: process.env['DATABASE_URL'] ?? '',
  applicationName: 'order-process',
  role: APPLICATION_ROLE,
  waitMs: 60_000,
})
const fault = process.env['FAULT']
const context = paymentContext(db, { faults: faultPointsOf(fault ? FaultPlan.parse(fault) : undefined) })

const at = (nowMs: number) => ({ ...context, clock: { now: () => nowMs } })

async function run(): Promise<{ ok: boolean }> {
  switch (work.do) {
    case 'place':
      return placeOrder(context, work.command)
    case 'settle':
      await settleOrder(context, work.outcome)
      return { ok: true }
    case 'renew':
      return renewServer(at(work.nowMs), work.command)
    case 'withdraw':
      return confirmWithdrawal({ ...at(work.nowMs), mailSecret: 'the secret of mails' }, work.command)
    case 'convert':
      return convertServer(at(work.nowMs), work.command)
    case 'top-up':
      return startTopUp(context, work.command)
    case 'check-payment':
      await checkPayment(context, work.paymentId)
      return { ok: true }
  }
}

const result = await run()
await db.close()
process.exitCode = result.ok ? 0 : 2
