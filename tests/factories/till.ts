import { openLedger } from '../../control-plane/money/ledger/ledger.ts'
import { postgresLedgerStore } from '../../control-plane/money/ledger/postgres-ledger-store.ts'
import type { PaymentContext } from '../../control-plane/money/payments/payment-context.ts'
import type { StartTopUp } from '../../control-plane/money/payments/start-top-up.ts'
import { paymentProviders } from '../../control-plane/money/payments/providers/catalog.ts'
import type { PaymentProviders } from '../../control-plane/money/payments/payment-provider.ts'
import type { FaultPoint } from '#platform/fault-point.ts'
import { systemIds } from '#platform/ids.ts'
import type { Database } from '#platform/postgres/database.ts'
import { callerOf, orderContext } from './shop.ts'

export const PUBLIC_URL = 'http://pay.test'
export const RETURN_URL = 'http://site.test/dashboard/balance/ok'

/** The external dependencies of a payment in a test: the sandbox is the provider unless another list is given. */
export function paymentContext(
  db: Database,
  options: { now?: () => number; faults?: FaultPoint; providers?: PaymentProviders } = {},
): PaymentContext {
  const context = orderContext(db, options)
  const settings = { mode: 'demo', methods: ['sandbox'], publicUrl: PUBLIC_URL } as const
  const ledgerOn: PaymentContext['ledgerOn'] = (sql) => openLedger(postgresLedgerStore(sql))
  return { ...context, ledgerOn, providers: options.providers ?? paymentProviders(context, settings) }
}

export const topUpCommand = (
  userId: string,
  changes: { key?: string; amount?: number; method?: string } = {},
): StartTopUp => ({
  caller: callerOf(userId),
  requestId: 'request-1',
  idempotencyKey: changes.key ?? systemIds.next(),
  request: { amount: changes.amount ?? 5000, method: changes.method ?? 'sandbox', acceptTerms: true },
  returnUrl: RETURN_URL,
})
