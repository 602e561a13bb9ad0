import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { quoteOrder } from '../../../control-plane/money/orders/quote-order.ts'
import { purchasePremium } from '../../../control-plane/money/premium/buy-premium.ts'
import { runPremiumCycle } from '../../../control-plane/money/premium/premium-cycle.ts'
import { viewPremium } from '../../../control-plane/money/premium/premium-view.ts'
import { systemIds } from '#platform/ids.ts'
import { readSpinAccount } from '../../../control-plane/money/wheel/spin-account.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { balanceOf, callerOf, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'

const NOW = Date.UTC(2026, 5, 1)
const DAY = 24 * 60 * 60 * 1000
let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner)
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

const at = (days: number, faults?: (name: string) => Promise<void>) =>
  orderContext(database.db, { now: () => NOW + days * DAY, ...(faults ? { faults } : {}) })
const command = (userId: string, { tier = 'essentials', key = systemIds.next(), expectedPriceFt = 990 } = {}) => ({
  caller: callerOf(userId),
  requestId: 'request-1',
  idempotencyKey: key,
  request: { tier: tier as 'essentials', expectedPriceFt },
})
const buy = (userId: string, changes: Parameters<typeof command>[1] = {}, days = 0) =>
  purchasePremium(at(days), command(userId, changes))
const purchasesOf = (userId: string) =>
  database.owner.query('select tier, ended_at from control.premium_purchases where user_id = $1', [userId])

describe('buying a tier', () => {
  it('buying a tier charges the price, grants its spins, and appears in the statement', async () => {
    const user = await userWith(database.db, 5000n)
    expect(await buy(user)).toMatchObject({ ok: true, answer: { tier: 'essentials', expiresAtMs: NOW + 30 * DAY } })
    expect(await balanceOf(database.db, user)).toEqual({ money: 4010n, held: 0n, available: 4010n })
    expect(await readSpinAccount(database.db, user)).toMatchObject({ granted: 1 })
    const lines = await database.owner.query(
      `select type, amount_ft, status from control.wallet_transactions where user_id = $1`,
      [user],
    )
    expect(lines).toEqual([{ type: 'premium', amount_ft: -990n, status: 'finished' }])
    expect(await viewPremium(at(1), { userId: user })).toMatchObject({ tier: 'essentials', balanceFt: 4010 })
  })

  it('without enough balance a purchase reports the missing amount, and writes nothing', async () => {
    const user = await userWith(database.db, 989n)
    expect(await buy(user)).toMatchObject({ ok: false, code: 'INSUFFICIENT_BALANCE', missing: { minor: 1n } })
    expect(await purchasesOf(user)).toEqual([])
    expect(await balanceOf(database.db, user)).toEqual({ money: 989n, held: 0n, available: 989n })
  })

  it('a customer who has premium cannot buy any tier', async () => {
    const user = await userWith(database.db, 50_000n)
    await buy(user)
    const higher = { tier: 'ultimus', expectedPriceFt: 3490 }
    expect(await buy(user, higher)).toEqual({ ok: false, code: 'ALREADY_HAS_PREMIUM' })
    expect(await buy(user, higher, 29.9)).toEqual({ ok: false, code: 'ALREADY_HAS_PREMIUM' })
    expect(await buy(user, higher, 30)).toMatchObject({ ok: true })
  })

  it('a purchase at another price than the displayed one, or with an unverified address, is refused', async () => {
    const user = await userWith(database.db, 5000n)
    expect(await buy(user, { expectedPriceFt: 1 })).toMatchObject({ ok: false, code: 'PRICE_CHANGED' })
    const wish = command(user)
    const unverified = { ...wish, caller: { ...wish.caller, isVerified: false } }
    expect(await purchasePremium(at(0), unverified)).toEqual({ ok: false, code: 'EMAIL_NOT_VERIFIED' })
    expect(await balanceOf(database.db, user)).toMatchObject({ money: 5000n, held: 0n })
  })

  it('ten concurrent purchases sell one tier, and a repeated key returns the same result', async () => {
    const user = await userWith(database.db, 50_000n)
    const results = await Promise.all(Array.from({ length: 10 }, () => buy(user)))
    expect(results.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await balanceOf(database.db, user)).toMatchObject({ money: 50_000n - 990n })
    const other = await userWith(database.db, 5000n)
    const first = await buy(other, { key: 'same' })
    const again = await buy(other, { key: 'same' })
    expect(again).toEqual({ ...first, replayed: true })
    expect(await balanceOf(database.db, other)).toMatchObject({ money: 4010n })
  })

  it.each(['premium.begin', 'premium.charged', 'premium.written'])(
    'a purchase that dies at %s writes nothing',
    async (name) => {
      const user = await userWith(database.db, 5000n)
      const dies = at(0, async (point) => {
        if (point === name) throw new Error('killed')
      })
      await expect(purchasePremium(dies, command(user))).rejects.toThrow('killed')
      expect(await purchasesOf(user)).toEqual([])
      expect(await balanceOf(database.db, user)).toEqual({ money: 5000n, held: 0n, available: 5000n })
      expect(await buy(user)).toMatchObject({ ok: true })
    },
  )
})

describe('the benefits of a tier', () => {
  it('a tier discounts orders and renewals, and the quote names the discount', async () => {
    const user = await userWith(database.db, 50_000n)
    await buy(user, { tier: 'maximus', expectedPriceFt: 1990 })
    const request = { serviceId: shop.serviceId, packageId: shop.packageId, months: 2 }
    const quoted = await quoteOrder(at(1), { userId: user, request })
    expect(quoted).toMatchObject({ ok: true, quote: { totalFt: 1782, discountFt: 198, renewalFt: 891 } })
    expect(quoted).toMatchObject({
      quote: { parts: [{ kind: 'resource' }, { kind: 'premium-discount', percent: 10, amountFt: -198 }] },
    })
    expect(await quoteOrder(at(30), { userId: user, request })).toMatchObject({ quote: { totalFt: 1980 } })
  })

  it('a tier grants spins every 30 days, once, and then ends', async () => {
    await database.owner.query(`update cms_api.premium_tiers set days = 90 where tier = 'ultimus'`)
    const user = await userWith(database.db, 50_000n)
    await buy(user, { tier: 'ultimus', expectedPriceFt: 3490 })
    const granted = async (days: number) => {
      await Promise.all([runPremiumCycle(at(days)), runPremiumCycle(at(days))])
      return (await readSpinAccount(database.db, user)).granted
    }
    expect([await granted(0), await granted(29.99), await granted(30), await granted(59), await granted(61)]).toEqual([
      4, 4, 8, 8, 12,
    ])
    expect([await granted(90), await granted(200)]).toEqual([12, 12])
    expect(await purchasesOf(user)).toMatchObject([{ tier: 'ultimus', ended_at: expect.any(Date) as Date }])
    // The end is told once: in the bell, and by the ways that the person wants.
    const told = await database.owner.query(
      `select n.text, n.data, (select count(*)::int from control.outbox o where o.topic = 'notice-tell'
         and o.payload->>'notificationId' = n.id::text) as ways from control.notifications n where n.user_id = $1`,
      [user],
    )
    expect(told).toEqual([{ text: 'premium.expired', data: { product: 'Ultimus' }, ways: 1 }])
    await database.owner.query(`update cms_api.premium_tiers set days = 30 where tier = 'ultimus'`)
  })

  it('the losses at its end are listed with the customer’s own servers', async () => {
    const user = await userWith(database.db, 50_000n)
    await buy(user)
    const serverId = systemIds.next()
    await database.owner.query(
      `insert into control.servers (id, identifier, owner_id, node_id, service_id, template_id, name, desired, desired_power, spec,
         service_name, cpu_percent, memory_mib, storage_mib, monthly_price_ft, expires_at, created_at)
       values ($1, 'acdefghj', $2, $3, $4, $5, 'Mine', 'installed', 'running', '{}', '{}', 1, 1, 1, 1, now(), now())`,
      [serverId, user, shop.nodeId, shop.serviceId, shop.templateId],
    )
    for (let guest = 0; guest < 4; guest += 1) {
      await database.owner.query(
        `insert into control.server_users (server_id, user_id, permissions, created_at) values ($1, $2, '{}', now())`,
        [serverId, systemIds.next()],
      )
    }
    const { losses } = await viewPremium(at(1), { userId: user })
    expect(losses).toEqual([
      { benefit: 'backupSlots', from: 7, to: 3, above: [] },
      { benefit: 'subUsers', from: 4, to: 2, above: [{ serverId, name: 'Mine', count: 4, excess: 2 }] },
      { benefit: 'spins', from: 1, to: 0, above: [] },
      { benefit: 'discountPercent', from: 5, to: 0, above: [] },
    ])
    expect((await viewPremium(at(31), { userId: user })).losses).toEqual([])
  })
})
