import { assertNever } from '#domain/kernel/assert.ts'
import { decideProposal, type DecisionRefusal } from '../money/staff/decide-proposal.ts'
import { manualCredit } from '../money/staff/manual-credit.ts'
import { readProposals } from '../money/proposals/money-proposals.ts'
import { readAllStatements } from '../money/wallet/statement.ts'
import { readAccounts, readAudit, readDays, readDebts, readEntries } from '../money/ledger/read-ledger.ts'
import { administratorOf } from './administrator-of.ts'
import type { ApiDeps, InternalCalls } from './api-deps.ts'
import { ApiRefusal } from './api-refusal.ts'
import { keyOf } from './idempotency-key.ts'
import { refundRefused } from './staff-payment-calls.ts'

type MoneyCall = 'manual-credit' | 'staff-proposals' | 'decide-proposal'
type ReadingCall =
  | 'staff-transactions'
  | 'staff-ledger'
  | 'staff-ledger-accounts'
  | 'staff-ledger-days'
  | 'staff-ledger-audit'
  | 'staff-debts'

/** Manual movements, and the approver's decision. */
const handCalls = ({ context }: ApiDeps): Pick<InternalCalls, MoneyCall> => ({
  'manual-credit': async ({ caller, ...wish }, meta) => {
    const staff = administratorOf(caller)
    const idempotencyKey = keyOf(meta)
    const answer = await manualCredit(context, { ...staff, ...wish, requestId: meta.requestId, idempotencyKey })
    if (!answer.ok) throw moneyRefused(answer)
    const { state, id, expiresAtMs } = answer
    return { state, id, expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString() }
  },
  'staff-proposals': ({ caller, ...page }) => {
    administratorOf(caller)
    return readProposals(context, page)
  },
  'decide-proposal': async ({ caller, ...decision }, meta) => {
    const staff = administratorOf(caller)
    const idempotencyKey = keyOf(meta)
    const answer = await decideProposal(context, { ...staff, ...decision, requestId: meta.requestId, idempotencyKey })
    if (!answer.ok) throw moneyRefused(answer)
    return { state: answer.state }
  },
})

/** Administrators' reads of the ledger. */
const readingCalls = ({ context: { db } }: ApiDeps): Pick<InternalCalls, ReadingCall> => ({
  'staff-transactions': ({ caller, ...filter }) => {
    administratorOf(caller)
    return readAllStatements(db, filter)
  },
  'staff-ledger': ({ caller, ...filter }) => {
    administratorOf(caller)
    return readEntries(db, filter)
  },
  'staff-ledger-accounts': ({ caller, ...filter }) => {
    administratorOf(caller)
    return readAccounts(db, filter)
  },
  'staff-ledger-days': async ({ caller, ...days }) => {
    administratorOf(caller)
    return { items: await readDays(db, days) }
  },
  'staff-ledger-audit': ({ caller }) => {
    administratorOf(caller)
    return readAudit(db)
  },
  'staff-debts': async ({ caller }) => {
    administratorOf(caller)
    return { items: await readDebts(db) }
  },
})

/** Administrators' movements of money. Each has a reason, and is logged with its author. */
export const staffMoneyCalls = (deps: ApiDeps): Pick<InternalCalls, MoneyCall | ReadingCall> => ({
  ...handCalls(deps),
  ...readingCalls(deps),
})

function moneyRefused({ code }: DecisionRefusal): ApiRefusal {
  switch (code) {
    case 'NO_SUCH_USER':
      return new ApiRefusal('VALIDATION', { fields: { userId: 'notFound' } })
    case 'DEBT_OF_MONEY_ONLY':
      return new ApiRefusal('VALIDATION', { fields: { withDebt: 'invalid' } })
    case 'OWN_PROPOSAL':
      return new ApiRefusal('SECOND_PERSON_NEEDED')
    case 'DECIDED':
      return new ApiRefusal('CONFLICT')
    case 'EXPIRED':
      return new ApiRefusal('INVALID_STATE')
    case 'INSUFFICIENT_BALANCE':
      return new ApiRefusal(code)
    case 'NOT_FOUND':
    case 'IN_PROGRESS':
    case 'IDEMPOTENCY_MISMATCH':
    case 'REASON_MISSING':
    case 'AMOUNT_INVALID':
    case 'MORE_THAN_PAID':
    case 'SOURCE_NOT_REFUNDABLE':
    case 'NOT_SETTLED':
    case 'DISPUTED':
      return refundRefused(code)
    default:
      return assertNever(code)
  }
}
