import { FaultPlan } from '#platform/fault-plan.ts'
import { refundPayment, type RefundCommand } from '../../../control-plane/money/payments/refund-payment.ts'
import { checkPayment } from '../../../control-plane/money/payments/settle-payment.ts'
import { startTopUp, type StartTopUp } from '../../../control-plane/money/payments/start-top-up.ts'
import { barionProvider } from '../../../control-plane/money/payments/providers/barion/barion-provider.ts'
import { faultPointsOf } from '#platform/fault-point.ts'
import { openPostgres } from '#platform/postgres/database.ts'
import { APPLICATION_ROLE } from '../../factories/control-database.ts'
import { paymentContext } from '../../factories/till.ts'

/** The work of the process with Barion, as JSON in the environment variable WORK. */
export type PaymentWork = { readonly barion: Parameters<typeof barionProvider>[0] } & (
  | { do: 'top-up'; command: StartTopUp }
  | { do: 'check-payment'; paymentId: string }
  | { do: 'refund'; command: RefundCommand }
)

const work = JSON.parse(process.env['WORK'] ?? '{}') as PaymentWork
const url = process.env['DATABASE_URL'] ?? ''
const db = openPostgres({ url, applicationName: 'payment-process', role: APPLICATION_ROLE, waitMs: 60_000 })
const fault = process.env['FAULT']
const provider = barionProvider(work.barion)
const context = paymentContext(db, {
  faults: faultPointsOf(fault ? FaultPlan.parse(fault) : undefined),
  providers: { all: [provider], find: () => provider },
})

async function run(): Promise<unknown> {
  switch (work.do) {
    case 'top-up':
      return startTopUp(context, work.command)
    case 'check-payment':
      return checkPayment(context, work.paymentId)
    case 'refund':
      return refundPayment(context, work.command)
  }
}

await run()
await db.close()
