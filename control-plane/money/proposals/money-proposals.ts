import type { MoneyProposal } from '#contracts/http/staff-money.ts'
import {
  GIVEN_TOGETHER_MS,
  PROPOSAL_LIFE_MS,
  isBeyondOnePerson,
  proposalState,
  type ManualDirection,
  type MoneyBucket,
} from '#domain/payments/manual-credit.ts'
import type { Money } from '#domain/billing/money.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readManualLimitFt } from '../../cms/cms-reader.ts'

type Pair = { readonly staffId: string; readonly userId: string }

/**
 * Whether a member of staff now moves more for a customer than one person may. Other movements by the same person for
 * the same customer wait until the caller's transaction has ended, so that every sum includes all of them.
 */
export async function needsAnother(
  tx: Sql,
  { clock }: Pick<Context, 'clock'>,
  { staffId, userId, amount }: Pair & { amount: Money },
): Promise<boolean> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 728))', [`${staffId}:${userId}`])
  const [given] = await tx.query<{ given_ft: bigint }>(
    `select (coalesce((select sum(balance_ft + debt_ft) from control.manual_credits
         where made_by = $1 and user_id = $2 and proposal_id is null and created_at > $3), 0)
       + coalesce((select sum(amount_ft) from control.refunds
         where requested_by = $1 and user_id = $2 and proposal_id is null and state <> 'failed' and created_at > $3), 0)
       )::bigint as given_ft`,
    [staffId, userId, new Date(clock.now() - GIVEN_TOGETHER_MS)],
  )
  return isBeyondOnePerson(amount, { givenFt: given?.given_ft ?? 0n, limitFt: await readManualLimitFt(tx) })
}

export type NewProposal = Pair & {
  readonly act: 'credit' | 'refund'
  readonly direction: ManualDirection
  readonly bucket: MoneyBucket
  readonly amount: Money
  readonly withDebt: boolean
  readonly paymentId: string | null
  readonly reason: string
  readonly requestId: string
}

/** Stores a proposal for an approver. Nothing moves. Returns its id and its expiry. */
export async function propose(
  tx: Sql,
  { ids, clock }: Pick<Context, 'ids' | 'clock'>,
  proposal: NewProposal,
): Promise<{ id: string; expiresAtMs: number }> {
  const id = ids.next()
  const now = clock.now()
  const expiresAtMs = now + PROPOSAL_LIFE_MS
  await tx.query(
    `insert into control.money_proposals (id, act, user_id, direction, bucket, amount_ft, with_debt, payment_id, reason,
       proposed_by, request_id, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      id,
      proposal.act,
      proposal.userId,
      proposal.direction,
      proposal.bucket,
      proposal.amount.minor.toString(),
      proposal.withDebt,
      proposal.paymentId,
      proposal.reason,
      proposal.staffId,
      proposal.requestId,
      new Date(now),
      new Date(expiresAtMs),
    ],
  )
  return { id, expiresAtMs }
}

export type ProposalRow = {
  readonly id: string
  readonly act: 'credit' | 'refund'
  readonly user_id: string
  readonly direction: ManualDirection
  readonly bucket: MoneyBucket
  readonly amount_ft: bigint
  readonly with_debt: boolean
  readonly payment_id: string | null
  readonly reason: string
  readonly state: 'open' | 'confirmed' | 'refused'
  readonly proposed_by: string
  readonly decided_by: string | null
  readonly note: string
  readonly created_at: Date
  readonly expires_at: Date
  readonly decided_at: Date | null
}

export const SELECT_PROPOSAL = `select id, act, user_id, direction, bucket, amount_ft, with_debt, payment_id, reason, state,
  proposed_by, decided_by, note, created_at, expires_at, decided_at from control.money_proposals`

const DEFAULT_PAGE = 50

/** A page of proposals, newest first; without `all`, only those that can still be decided. */
export async function readProposals(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { all, limit = DEFAULT_PAGE, before }: { all: boolean; limit?: number | undefined; before?: string | undefined },
): Promise<{ items: MoneyProposal[]; next: string | null; limitFt: number }> {
  const now = clock.now()
  const rows = await db.query<ProposalRow>(
    `${SELECT_PROPOSAL} where ($1 or (state = 'open' and expires_at > $2)) and ($3::uuid is null or id < $3)
     order by id desc limit $4`,
    [all, new Date(now), before ?? null, limit + 1],
  )
  const items = rows.slice(0, limit).map((row) => shown(row, now))
  const next = rows.length > limit ? (items.at(-1)?.id ?? null) : null
  return { items, next, limitFt: Number(await readManualLimitFt(db)) }
}

const shown = (row: ProposalRow, nowMs: number): MoneyProposal => ({
  id: row.id,
  act: row.act,
  userId: row.user_id,
  direction: row.direction,
  bucket: row.bucket,
  amountFt: Number(row.amount_ft),
  withDebt: row.with_debt,
  paymentId: row.payment_id,
  reason: row.reason,
  state: proposalState({ state: row.state, expiresAtMs: row.expires_at.getTime() }, nowMs),
  proposedBy: row.proposed_by,
  decidedBy: row.decided_by,
  note: row.note,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  decidedAt: row.decided_at?.toISOString() ?? null,
})
