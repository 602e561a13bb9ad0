import { WITHDRAWAL_KINDS, type WithdrawalOffer } from '#contracts/http/withdrawal.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { DAY_MS } from '#domain/billing/period.ts'
import { withdrawalDeadlineMs } from '#domain/billing/withdrawal-deadline.ts'
import { readSpansByServer } from '../paid-time/held-spans.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import { buysAsConsumer, decideWith, refusedUnseen, type DecidedWithdrawal } from './decide-withdrawal.ts'
import { readContracts, readContractSpans, type Contract, type ContractSpan } from './read-contract.ts'

/** Longer than any withdrawal period: 14 days, holidays at their end, and the day for the second step. */
const LONGEST_MS = 31 * DAY_MS

const iso = (ms: number): string => new Date(ms).toISOString()

/** Every contract of the caller that can be withdrawn from now, newest first, with the effect. */
export async function listWithdrawals(context: MoneyContext, caller: Caller): Promise<WithdrawalOffer[]> {
  const { db, clock } = context
  const nowMs = clock.now()
  const { userId } = caller
  const contracts: Contract[] = []
  for (const kind of WITHDRAWAL_KINDS) {
    contracts.push(...(await readContracts(db, { userId, kind, sinceMs: nowMs - LONGEST_MS })))
  }
  const isConsumer = await buysAsConsumer(db, userId)
  const open = contracts.filter((contract) => !refusedUnseen({ contract, userId, nowMs, isConsumer }))
  const servers = await readSpansByServer(
    db,
    open.flatMap(({ serverId }) => serverId ?? []),
  )
  const offers: WithdrawalOffer[] = []
  for (const contract of open) {
    const spans = await readContractSpans(db, contract, servers)
    const offer = await offerOf(context, { caller, contract, nowMs, isConsumer, spans })
    if (offer) offers.push(offer)
  }
  return offers.toSorted((a, b) => Date.parse(b.concludedAt) - Date.parse(a.concludedAt))
}

type Asked = { caller: Caller; contract: Contract; nowMs: number }

async function offerOf(
  { db }: MoneyContext,
  asked: Asked & { isConsumer: boolean; spans: readonly ContractSpan[] },
): Promise<WithdrawalOffer | undefined> {
  const { caller, contract } = asked
  const known = { ...asked, userId: caller.userId }
  const decided = await decideWith(db, known)
  if (decided.ok) return offered(asked, decided)
  if (decided.code !== 'LATER_RENEWAL_FIRST') return undefined
  // The refund once the later renewal is gone.
  const alone = await decideWith(db, { ...known, contract: { ...contract, hasLaterRenewal: false } })
  return alone.ok ? { ...offered(asked, alone), laterRenewalFirst: true } : undefined
}

/** A decided withdrawal as shown to the customer. */
export function offered(
  { caller, contract, nowMs }: Asked,
  { withdrawal, back, paid, endsAtMs, deletionAtMs, keptFor }: Omit<DecidedWithdrawal, 'ok'>,
): WithdrawalOffer {
  const { kind, documentId, serverId, serverName, product, concludedAtMs, begunAtMs } = contract
  return {
    kind,
    documentId,
    serverId,
    serverName,
    product: product[caller.locale],
    concludedAt: iso(concludedAtMs),
    deadline: iso(withdrawalDeadlineMs(concludedAtMs)),
    paidFt: Number(paid.minor),
    backFt: Number(withdrawal.back.minor),
    bonusFt: Number(back.bonus.minor),
    keptFt: Number(withdrawal.kept.minor),
    keptSpinsFt: Number(keptFor.spins.minor),
    keptDiscountsFt: Number(keptFor.discounts.minor),
    endsAt: iso(endsAtMs),
    endsNow: endsAtMs <= nowMs,
    deletionAt: deletionAtMs === null ? null : iso(deletionAtMs),
    begunAt: begunAtMs === undefined ? null : iso(begunAtMs),
    laterRenewalFirst: false,
  }
}
