import { assert } from '#domain/kernel/assert.ts'
import { forints } from '#domain/billing/money.ts'
import type { WheelPrize } from '#domain/prizes/wheel.ts'
import { announceBalance } from '../../messages/notices/notify-user.ts'
import { writeStatementLine } from '../wallet/statement.ts'
import { prizeWon } from '../ledger/postings.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import type { Sql } from '#platform/postgres/database.ts'

type Won = {
  readonly spinId: string
  readonly userId: string
  readonly prize: WheelPrize
  /** The package in the wheel's settings, for a server. */
  readonly packageId: string | null
  readonly requestId: string
}

/**
 * Gives the drawn prize: money by the ledger, a coupon or a server as a personal coupon. A reroll is added to the spin
 * account.
 */
export async function givePrize(tx: Sql, context: MoneyContext, won: Won): Promise<void> {
  const { type, amount } = won.prize
  if (type === 'money') return giveMoney(tx, context, won)
  if (type === 'coupon') return giveCoupon(tx, context, { won, percent: amount, packageId: null })
  if (type === 'server') return giveCoupon(tx, context, { won, percent: 100, packageId: won.packageId })
}

async function giveMoney(tx: Sql, context: MoneyContext, { spinId, userId, prize, requestId }: Won): Promise<void> {
  const amount = forints(BigInt(prize.amount))
  const ledger = context.ledgerOn(tx)
  const origin = { id: context.ids.next(), atMs: context.clock.now(), actor: 'system', requestId }
  const posted = await ledger.post(prizeWon(origin, { spinId, userId, amount }))
  assert(posted.ok, 'A prize is posted once, and takes nothing from a wallet.')
  await writeStatementLine(tx, context, {
    userId,
    type: 'prize',
    paymentType: 'balance',
    amountFt: amount.minor,
    status: 'finished',
    reason: 'Prize of the wheel',
    document: { kind: 'prize', id: spinId },
  })
  const { available } = await ledger.userBalance(userId, 'HUF')
  await announceBalance(tx, context, { userId, type: 'prize', change: amount, balance: available, requestId })
}

/** Without letters and digits that are easily confused: 32 of them, so that a byte chooses evenly. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const CODE_LENGTH = 12

async function giveCoupon(
  tx: Sql,
  { ids, clock }: MoneyContext,
  { won, percent, packageId }: { won: Won; percent: number; packageId: string | null },
): Promise<void> {
  const code = `WHEEL-${[...ids.bytes(CODE_LENGTH)].map((byte) => LETTERS[byte % LETTERS.length]).join('')}`
  const drawnAt = new Date(clock.now())
  await tx.query(
    `insert into control.prize_coupons (id, code, user_id, percent, package_id, spin_id, drawn_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [ids.next(), code, won.userId, percent, packageId, won.spinId, drawnAt],
  )
  await tx.query('update control.spins set coupon_code = $2 where id = $1', [won.spinId, code])
}
