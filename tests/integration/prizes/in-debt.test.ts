import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { systemIds } from '#platform/ids.ts'
import { purchasePremium } from '../../../control-plane/money/premium/buy-premium.ts'
import { purchaseSpins } from '../../../control-plane/money/wheel/more-spins.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { moves } from '../../factories/ledger-moves.ts'
import { prize, setWheel } from '../../factories/prizes.ts'
import { balanceOf, callerOf, orderContext, shopDatabase, userWith } from '../../factories/shop.ts'

let database: ControlDatabase
beforeAll(async () => {
  database = await shopDatabase()
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

/** 500 Ft of bonus, and 300 Ft that a bank took back. */
async function debtor() {
  const userId = await userWith(database.db, 0n)
  const ledger = orderContext(database.db).ledgerOn(database.db)
  await ledger.post(moves.grant(userId, 500n))
  await ledger.post(moves.owe(userId, 300n))
  return userId
}
const wish = (userId: string) => ({ caller: callerOf(userId), requestId: 'r', idempotencyKey: systemIds.next() })

it('a customer in debt is told the amount to top up for a tier: the debt, and the shortfall', async () => {
  const userId = await debtor()
  const refused = await purchasePremium(orderContext(database.db), {
    ...wish(userId),
    request: { tier: 'essentials', expectedPriceFt: 990 },
  })
  expect(refused).toMatchObject({ ok: false, code: 'INSUFFICIENT_BALANCE', missing: { minor: 790n } })
  expect(await balanceOf(database.db, userId)).toMatchObject({ available: 500n })
})

it('a customer in debt is told the amount to top up for spins, even if the balance alone would be enough', async () => {
  await setWheel(database.owner, [prize('nothing')])
  await database.owner.query('update cms_api.prize_wheel set spin_price_ft = 100, buying = true')
  const userId = await debtor()
  const bought = (count: number) =>
    purchaseSpins(orderContext(database.db), { ...wish(userId), request: { count, expectedPriceFt: count * 100 } })
  expect(await bought(10)).toMatchObject({ ok: false, code: 'INSUFFICIENT_BALANCE', missing: { minor: 800n } })
  expect(await bought(2)).toMatchObject({ ok: false, code: 'INSUFFICIENT_BALANCE', missing: { minor: 300n } })
})
