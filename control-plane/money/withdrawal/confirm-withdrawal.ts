import type { WithdrawalReceipt } from '#contracts/http/withdrawal.ts'
import { add, type Money } from '#domain/billing/money.ts'
import { assert } from '#domain/kernel/assert.ts'
import { payDebt } from '../wallet/debt.ts'
import { oncePerKey, type KeyRefusal } from '../../platform/once-per-key.ts'
import { correctDocuments, partsOfSpans, recordSalesGivenBack, type GivenBackSales } from '../sale/sale-given-back.ts'
import { writeStatementLine } from '../wallet/statement.ts'
import { withdrawn } from '../ledger/give-back-postings.ts'
import { partSpans, updateSpans } from '../paid-time/held-spans.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { lockRenewable, type RenewableRow } from '../paid-time/lock-renewable.ts'
import { lockInOrder } from '../ledger/lock-order.ts'
import { decideOn, type DecidedWithdrawal } from './decide-withdrawal.ts'
import { endPaidTime } from './end-paid-time.ts'
import { endPremium } from './premium-contract.ts'
import { readContracts, readContractSpans, type Contract } from './read-contract.ts'
import { mailReceipt, tellWithdrawal } from './tell-withdrawal.ts'
import type { ConfirmWithdrawal, WithdrawalContext, WithdrawRefusal } from './withdrawal-context.ts'

/**
 * The second of two steps, which is the customer's statement: refund, withdrawal, end of the server's time, statement
 * line and receipt mail are written together or not at all.
 */
export async function confirmWithdrawal(
  context: WithdrawalContext,
  command: ConfirmWithdrawal,
): Promise<{ ok: true; answer: WithdrawalReceipt; replayed: boolean } | WithdrawRefusal | KeyRefusal> {
  const { caller, subject, expectedBackFt, idempotencyKey: key } = command
  const result = await context.db.transaction((tx) => {
    const body = { ...subject, expectedBackFt }
    const keyed = { scope: 'withdrawal', userId: caller.userId, key, body, atMs: context.clock.now() } as const
    return oncePerKey<WithdrawalReceipt, WithdrawRefusal>(tx, keyed, () => confirmOnce(tx, context, command))
  })
  await context.faults('withdrawal.committed')
  if (result.ok)
    context.log.info({ requestId: command.requestId, ...subject, backFt: result.answer.backFt }, 'withdrawn')
  return result
}

async function confirmOnce(
  tx: Sql,
  context: WithdrawalContext,
  command: ConfirmWithdrawal,
): Promise<{ ok: true; answer: WithdrawalReceipt } | WithdrawRefusal> {
  const { caller, subject, expectedBackFt } = command
  const { userId } = caller
  await context.faults('withdrawal.begin')
  const [named] = await readContracts(tx, { userId, ...subject })
  if (!named) return { ok: false, code: 'NOT_FOUND' }
  const server = await lockFor(tx, { contract: named, userId })
  await context.faults('withdrawal.locked')
  // Read again: the previous holder of the lock may have renewed, resized or withdrawn.
  const [contract] = await readContracts(tx, { userId, ...subject })
  assert(contract, 'A contract is never deleted.')
  if (contract.begunAtMs === undefined) return { ok: false, code: 'NOT_BEGUN' }
  const nowMs = context.clock.now()
  const decided = await decideOn(tx, { contract, userId, nowMs })
  if (!decided.ok) return decided
  // Until then it is open how much of such a discount remains.
  if (decided.keptFor.isBeingInstalled) return { ok: false, code: 'NOT_INSTALLED' }
  const { minor: backFt } = decided.withdrawal.back
  if (expectedBackFt !== undefined && BigInt(expectedBackFt) !== backFt) {
    return { ok: false, code: 'PRICE_CHANGED', backFt }
  }
  await context.faults('withdrawal.decided')
  return { ok: true, answer: await write(tx, context, { command, decided, server, nowMs }) }
}

async function lockFor(
  tx: Sql,
  { contract, userId }: { contract: Contract; userId: string },
): Promise<RenewableRow | undefined> {
  const { serverId } = contract
  if (serverId === null) {
    await lockInOrder(tx, { premium: { userId, as: 'alone' }, spins: userId })
    return undefined
  }
  return lockRenewable(tx, serverId)
}

type Step = {
  readonly command: ConfirmWithdrawal
  readonly decided: DecidedWithdrawal
  readonly server: RenewableRow | undefined
  readonly nowMs: number
}

async function write(tx: Sql, context: WithdrawalContext, step: Step): Promise<WithdrawalReceipt> {
  const { command, decided, server, nowMs } = step
  const { requestId } = command
  const { contract, withdrawal, endsAtMs, deletionAtMs } = decided
  const { kind, documentId, product } = contract
  const sales: GivenBackSales = { parts: partsOfSpans(decided.spans, decided.after), cause: causeOf(contract) }
  await moveMoney(tx, context, { step, sales })
  await context.faults('withdrawal.money-moved')
  const id = await writeRows(tx, step)
  await context.faults('withdrawal.written')
  if (kind === 'premium') await endPremium(tx, { userId: command.caller.userId, purchaseId: documentId, nowMs })
  else if (server) await endPaidTime(tx, context, { server, endsAtMs, requestId })
  await context.faults('withdrawal.ended')
  await tellWithdrawal(tx, context, step)
  await context.faults('withdrawal.told')
  await mailReceipt(tx, context, { ...step, withdrawalId: id })
  await context.faults('withdrawal.mailed')
  await correctDocuments(tx, context, { ...sales, reason: reasonFor(command.caller.locale), requestId })
  context.log.debug({ requestId, product: product.en }, 'withdrawal written')
  return {
    id,
    confirmedAt: new Date(nowMs).toISOString(),
    backFt: Number(withdrawal.back.minor),
    keptFt: Number(withdrawal.kept.minor),
    endsAt: new Date(endsAtMs).toISOString(),
    deletionAt: deletionAtMs === null ? null : new Date(deletionAtMs).toISOString(),
  }
}

/** One withdrawal per contract: its document identifies it. */
const causeOf = ({ documentId }: Contract) => ({ type: 'withdrawal', id: documentId }) as const

const REASONS = { en: 'Withdrawal from the contract', hu: 'Elállás a szerződéstől', de: 'Widerruf des Vertrags' }
const reasonFor = (locale: keyof typeof REASONS): string => REASONS[locale]

export const reasonOf = ({ product }: Contract): string => `Withdrawal from ${product.en}`

async function moveMoney(
  tx: Sql,
  context: WithdrawalContext,
  { step, sales }: { step: Step; sales: GivenBackSales },
): Promise<void> {
  const { command, decided, nowMs } = step
  const { contract, back } = decided
  const total: Money = add(back.money, back.bonus)
  if (total.minor === 0n) return
  const { requestId, caller } = command
  const { userId } = caller
  const { kind, documentId } = contract
  const split = await recordSalesGivenBack(tx, context, sales)
  const origin = { id: context.ids.next(), atMs: nowMs, actor: `user:${userId}`, requestId }
  const given = { ...back, split, userId, reason: reasonOf(contract), contract: kind, documentId }
  const posted = await context.ledgerOn(tx).post(withdrawn(origin, given))
  assert(posted.ok, 'What was paid can be given back, once.')
  await writeStatementLine(tx, context, {
    userId,
    type: 'refund',
    paymentType: 'balance',
    status: 'finished',
    amountFt: total.minor,
    reason: reasonOf(contract),
    document: { kind: kind === 'premium' ? 'withdrawal' : kind, id: documentId },
  })
  await payDebt(tx, context, { documentId, userId, requestId })
}

async function writeRows(tx: Sql, { command, decided, nowMs }: Step): Promise<string> {
  const { contract, back, withdrawal, spans, after, keptFor } = decided
  const { kind, documentId, serverId } = contract
  const at = new Date(nowMs)
  const [row] = await tx.query<{ id: string }>(
    `update control.withdrawals set confirmed_at = $3, back_money_ft = $4, back_bonus_ft = $5, kept_ft = $6, request_id = $7,
       kept_spins_ft = $8, kept_discounts_ft = $9
     where kind = $1 and document_id = $2 and confirmed_at is null returning id`,
    [
      kind,
      documentId,
      at,
      back.money.minor.toString(),
      back.bonus.minor.toString(),
      withdrawal.kept.minor.toString(),
      command.requestId,
      keptFor.spins.minor.toString(),
      keptFor.discounts.minor.toString(),
    ],
  )
  assert(row, 'A contract is withdrawn from once, under the lock.')
  if (kind === 'order') await updateSpans(tx, spans, after)
  if (kind === 'renewal' && serverId !== null) {
    await partSpans(tx, serverId, contract.periodStartMs)
    await updateSpans(tx, await readContractSpans(tx, contract), after)
    await tx.query('update control.renewals set withdrawn_at = $2 where id = $1', [documentId, at])
  }
  return row.id
}
