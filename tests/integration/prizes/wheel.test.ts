import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { verifyDraw } from '#domain/prizes/wheel-draw.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { systemIds } from '#platform/ids.ts'
import { purchaseSpins, redeemCoupon } from '../../../control-plane/money/wheel/more-spins.ts'
import { grantSpins, readSpinAccount } from '../../../control-plane/money/wheel/spin-account.ts'
import { spinWheel } from '../../../control-plane/money/wheel/spin.ts'
import { listSpins, proveSpin, viewWheel } from '../../../control-plane/money/wheel/wheel-view.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { nodeCrypto, prize, setWheel, spinOnce } from '../../factories/prizes.ts'
import { balanceOf, callerOf, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'

const NOW = Date.UTC(2026, 5, 1)
const DAY = 24 * 60 * 60 * 1000
let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase(40)
  shop = await openShop(database.owner)
  // The node stays connected, whatever the clock of a test says.
  await database.owner.query(`update control.agent_sessions set renewed_at = '2100-01-01'`)
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

const at = (days = 0) => orderContext(database.db, { now: () => NOW + days * DAY })
const give = (userId: string, spins: number) =>
  database.db.transaction((tx) => grantSpins(tx, { key: systemIds.next(), userId, spins, atMs: NOW }))
const buy = (userId: string, request: { count: number; expectedPriceFt?: number }, key: string = systemIds.next()) =>
  purchaseSpins(at(), { caller: callerOf(userId), request, requestId: 'request-1', idempotencyKey: key })

describe('spinning', () => {
  it('there is one free spin per 7 x 24 h', async () => {
    await setWheel(database.owner, [prize('nothing')])
    const user = await userWith(database.db, 0n)
    expect(await spinOnce(at(), user)).toMatchObject({ ok: true })
    expect(await spinOnce(at(6.99), user)).toEqual({ ok: false, code: 'NO_SPINS', nextFreeSpinAtMs: NOW + 7 * DAY })
    expect(await viewWheel(at(1), callerOf(user))).toMatchObject({
      spinCount: 0,
      nextFreeSpinAt: new Date(NOW + 7 * DAY).toISOString(),
    })
    expect(await spinOnce(at(7), user)).toMatchObject({ ok: true })
  })

  it('T22: twenty concurrent presses are one free spin, and a repeated key is one draw', async () => {
    await setWheel(database.owner, [prize('nothing')])
    const user = await userWith(database.db, 0n)
    // A person who spun before has an account that the presses meet at.
    await spinOnce(at(-7), user)
    await setWheel(database.owner, [prize('money', 100)])
    const caller = callerOf(user)
    const { serverSeedHash } = await viewWheel(at(), caller)
    const request = { clientSeed: 'seed', serverSeedHash: serverSeedHash ?? '' }
    const spin = (idempotencyKey: string) => spinWheel(at(), { caller, request, requestId: 'r', idempotencyKey })
    const results = await Promise.all(Array.from({ length: 20 }, (_, index) => spin(`key-${index}`)))
    expect(results.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await balanceOf(database.db, user)).toMatchObject({ available: 100n })
    const won = results.findIndex(({ ok }) => ok)
    expect(await spin(`key-${won}`)).toMatchObject({ ok: true, replayed: true })
    expect(await balanceOf(database.db, user)).toMatchObject({ available: 100n })
  })

  it('a customer can verify a draw, with the commitment shown before it', async () => {
    await setWheel(database.owner, [prize('nothing', 0, 3), prize('coupon', 10, 2), prize('money', 50, 1)])
    const user = await userWith(database.db, 0n)
    await give(user, 20)
    for (let round = 0; round < 20; round += 1) {
      const before = await viewWheel(at(), callerOf(user))
      const spun = await spinOnce(at(), user)
      if (!spun.ok) throw new Error(spun.code)
      const proof = await proveSpin(database.db, { userId: user, spinId: spun.answer.spinId })
      if (!proof) throw new Error('no proof')
      expect(proof.serverSeedHash).toBe(before.serverSeedHash)
      expect(await verifyDraw(proof, nodeCrypto)).toEqual({ ok: true })
      expect(await verifyDraw({ ...proof, ticket: proof.ticket + 1 }, nodeCrypto)).toMatchObject({ ok: false })
      expect((await viewWheel(at(), callerOf(user))).serverSeedHash).not.toBe(before.serverSeedHash)
    }
    const page = await listSpins(database.db, { userId: user, limit: 15 })
    const rest = await listSpins(database.db, { userId: user, before: page.next ?? '' })
    expect([page.items.length, rest.items.length, rest.next]).toEqual([15, 5, null])
    expect(await proveSpin(database.db, { userId: systemIds.next(), spinId: page.items[0]?.id ?? '' })).toBeUndefined()
  })

  it('a draw is refused for another commitment, invalid seeds, and a wheel without prizes', async () => {
    await setWheel(database.owner, [prize('nothing')])
    const caller = callerOf(await userWith(database.db, 0n))
    const { serverSeedHash } = await viewWheel(at(), caller)
    const spin = (request: { clientSeed: string; serverSeedHash: string }) =>
      spinWheel(at(), { caller, request, requestId: 'r', idempotencyKey: systemIds.next() })
    const hash = serverSeedHash ?? ''
    expect(await spin({ clientSeed: 'seed', serverSeedHash: 'a'.repeat(64) })).toEqual({ ok: false, code: 'CONFLICT' })
    expect(await spin({ clientSeed: 'a:b', serverSeedHash: hash })).toEqual({ ok: false, code: 'SEED_INVALID' })
    await setWheel(database.owner, [])
    expect(await spin({ clientSeed: 'seed', serverSeedHash: hash })).toEqual({ ok: false, code: 'WHEEL_DISABLED' })
    expect(await viewWheel(at(), caller)).toMatchObject({ isEnabled: false, fields: [], serverSeedHash: null })
    await setWheel(database.owner, [prize('server')])
    expect(await spin({ clientSeed: 'seed', serverSeedHash: hash })).toEqual({ ok: false, code: 'WHEEL_DISABLED' })
  })

  it('the odds add up to 100 %, and the seed is hidden', async () => {
    await setWheel(database.owner, [prize('nothing', 0, 1), prize('money', 5, 1), prize('coupon', 5, 1)])
    const view = await viewWheel(at(), callerOf(await userWith(database.db, 0n)))
    expect(view.fields.reduce((sum, { basisPoints }) => sum + basisPoints, 0)).toBe(10_000)
    const [row] = await database.owner.query<{ server_seed: string }>(
      'select server_seed from control.spin_seeds where server_seed_hash = $1',
      [view.serverSeedHash],
    )
    expect(JSON.stringify(view)).not.toContain(row?.server_seed)
  })
})

describe('prizes', () => {
  const drawn = async (prizes: Parameters<typeof setWheel>[1], packageId: string | null = null) => {
    await setWheel(database.owner, prizes, { packageId })
    const user = await userWith(database.db, 0n)
    const spun = await spinOnce(at(), user)
    if (!spun.ok) throw new Error(spun.code)
    return user
  }
  const orderWith = (userId: string, couponCode: string, changes: object = {}) =>
    placeOrder(at(1), {
      caller: callerOf(userId),
      requestId: 'r',
      idempotencyKey: systemIds.next(),
      request: { serviceId: shop.serviceId, packageId: shop.packageId, months: 1, name: 'Won', couponCode, ...changes },
    })

  it('a money prize is a bonus at the cost of the house, with a statement line', async () => {
    const user = await drawn([prize('money', 250)])
    expect(await balanceOf(database.db, user)).toEqual({ money: 0n, held: 0n, available: 250n })
    const lines = await database.owner.query(
      'select type, amount_ft, status from control.wallet_transactions where user_id = $1',
      [user],
    )
    expect(lines).toEqual([{ type: 'prize', amount_ft: 250n, status: 'finished' }])
  })

  it('a reroll is one more spin at once', async () => {
    await setWheel(database.owner, [prize('reroll', 0, 1_000), prize('nothing', 0, 1)])
    const user = await userWith(database.db, 0n)
    await spinOnce(at(), user)
    const view = await viewWheel(at(), callerOf(user))
    const [drawnNow] = (await listSpins(database.db, { userId: user })).items
    const isReroll = drawnNow?.type === 'reroll'
    expect([view.rerolls, view.spinCount]).toEqual(isReroll ? [1, 1] : [0, 0])
  })

  it('a server prize is a personal coupon for the first month of the wheel’s package, once', async () => {
    const user = await drawn([prize('server')], shop.packageId)
    const [coupon] = (await viewWheel(at(), callerOf(user))).coupons
    expect(coupon).toMatchObject({ percent: 100, isServer: true, used: false })
    const code = coupon?.code ?? ''
    expect(await orderWith(systemIds.next(), code)).toEqual({ ok: false, code: 'COUPON_NOT_FOUND' })
    expect(await orderWith(user, code, { expectedTotalFt: 0 })).toMatchObject({ ok: true })
    expect(await orderWith(user, code)).toMatchObject({ ok: false, code: 'COUPON_ALREADY_USED' })
    expect((await viewWheel(at(), callerOf(user))).coupons).toMatchObject([{ used: true }])
  })

  it('a coupon is valid for a month from the draw', async () => {
    const user = await drawn([prize('coupon', 50)])
    const [coupon] = (await viewWheel(at(), callerOf(user))).coupons
    expect(coupon).toMatchObject({ percent: 50, validUntil: new Date(NOW + 30 * DAY).toISOString() })
    const late = await placeOrder(at(30), {
      caller: callerOf(user),
      requestId: 'r',
      idempotencyKey: systemIds.next(),
      request: {
        serviceId: shop.serviceId,
        packageId: shop.packageId,
        months: 1,
        name: 'Won',
        couponCode: coupon?.code,
      },
    })
    expect(late).toEqual({ ok: false, code: 'COUPON_EXPIRED' })
  })
})

describe('more spins', () => {
  it('spins are bought at the displayed price, once per key', async () => {
    await setWheel(database.owner, [prize('nothing')])
    const user = await userWith(database.db, 1000n)
    expect(await buy(user, { count: 3, expectedPriceFt: 600 }, 'k')).toMatchObject({ ok: true })
    expect(await buy(user, { count: 3, expectedPriceFt: 600 }, 'k')).toMatchObject({ ok: true, replayed: true })
    expect(await readSpinAccount(database.db, user)).toMatchObject({ bought: 3 })
    expect(await balanceOf(database.db, user)).toEqual({ money: 400n, held: 0n, available: 400n })
    expect(await buy(user, { count: 3 })).toMatchObject({ code: 'INSUFFICIENT_BALANCE', missing: { minor: 200n } })
    expect(await buy(user, { count: 1, expectedPriceFt: 1 })).toMatchObject({ code: 'PRICE_CHANGED' })
  })

  it.each([0, -1, 1.5, 101, 2 ** 63, Number.MAX_VALUE])('%s is refused as a count of spins', async (count) => {
    await setWheel(database.owner, [prize('nothing')])
    const user = await userWith(database.db, 1000n)
    expect(await buy(user, { count })).toEqual({ ok: false, code: 'SPIN_COUNT_INVALID' })
    expect(await balanceOf(database.db, user)).toMatchObject({ available: 1000n })
  })

  it('spins are not sold while the setting is off, or in countries where it is off', async () => {
    const user = await userWith(database.db, 1000n)
    await setWheel(database.owner, [prize('nothing')], { buying: false })
    expect(await buy(user, { count: 1 })).toEqual({ ok: false, code: 'SPIN_BUYING_OFF' })
    await setWheel(database.owner, [prize('nothing')], { blocked: ['DE', 'HU'] })
    expect(await buy(user, { count: 1 })).toEqual({ ok: false, code: 'SPIN_BUYING_OFF' })
    expect((await viewWheel(at(), callerOf(user))).buying.isOn).toBe(false)
  })

  it(
    'T24: a spin coupon with three uses serves three of a hundred customers, once each',
    { timeout: 240_000 },
    async () => {
      await database.owner.query(
        `insert into cms_api.spin_coupons (id, code, number_of_uses, spins) values ($1, 'THREE', 3, 2)`,
        [systemIds.next()],
      )
      const redeem = (userId: string) => redeemCoupon(at(), { caller: callerOf(userId), code: 'three' })
      const users = Array.from({ length: 100 }, () => systemIds.next())
      const results = await Promise.all(users.map(redeem))
      expect(results.filter(({ ok }) => ok)).toHaveLength(3)
      const winner = users[results.findIndex(({ ok }) => ok)] ?? ''
      expect(await readSpinAccount(database.db, winner)).toMatchObject({ granted: 2 })
      expect(await redeem(winner)).toMatchObject({ ok: false, code: 'COUPON_ALREADY_USED' })
      expect(await redeem(systemIds.next())).toMatchObject({ ok: false, code: 'COUPON_USED_UP' })
    },
  )

  it('T24: one customer redeems a spin coupon once, however many concurrent attempts', async () => {
    await database.owner.query(
      `insert into cms_api.spin_coupons (id, code, number_of_uses, spins) values ($1, 'MANY', 1000, 1)`,
      [systemIds.next()],
    )
    const caller = callerOf(systemIds.next())
    const results = await Promise.all(Array.from({ length: 20 }, () => redeemCoupon(at(), { caller, code: 'MANY' })))
    expect(results.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await readSpinAccount(database.db, caller.userId)).toMatchObject({ granted: 1 })
  })

  it('spins are not granted for invalid codes, nor while coupons are off', async () => {
    const caller = callerOf(systemIds.next())
    expect(await redeemCoupon(at(), { caller, code: '?' })).toEqual({ ok: false, code: 'COUPON_INVALID' })
    expect(await redeemCoupon(at(), { caller, code: 'NOSUCH' })).toEqual({ ok: false, code: 'COUPON_NOT_FOUND' })
    await database.owner.query('update cms_api.settings set coupon_use = false')
    expect(await redeemCoupon(at(), { caller, code: 'MANY' })).toEqual({ ok: false, code: 'COUPONS_DISABLED' })
    await database.owner.query('update cms_api.settings set coupon_use = true')
  })
})
