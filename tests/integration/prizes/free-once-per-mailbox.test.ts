import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { noteEarlierMailboxes } from '../../../control-plane/money/mailboxes/mailbox-store.ts'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { callMoney } from '../../factories/money-api.ts'
import { prize, setWheel } from '../../factories/prizes.ts'
import { callerOf, openShop, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'
import { paymentContext } from '../../factories/till.ts'

const NOW = Date.UTC(2026, 5, 1)
const DAY = 24 * 60 * 60 * 1000
let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase(40)
  shop = await openShop(database.owner, { portCount: 1_000, memoryMiB: 10_000_000 })
  await database.owner.query(`update control.agent_sessions set renewed_at = '2100-01-01'`)
  await setWheel(database.owner, [prize('nothing')])
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

const api = (name: Parameters<typeof callMoney>[1], input: object, days = 0) =>
  callMoney(paymentContext(database.db, { now: () => NOW + days * DAY }), name, { input })

/** A person with money and this address. */
const person = async (email: string, { verified = true } = {}) => {
  const userId = await userWith(database.db, 5_000n)
  await database.owner.query(
    `insert into cms_api.people (id, username, identifier, email, language, verified, invoice_type, is_admin, is_support)
     values ($1, $2, 'acdefghj', $3, 'hu', $4, 'electronic', false, false)`,
    [userId, `u-${userId}`, email, verified],
  )
  return userId
}
let mailboxes = 0
/** Three people whose addresses lead to one mailbox. */
const threeOfOne = async () => {
  const name = `promo${(mailboxes += 1)}x`
  return [
    await person(`${name}@gmail.com`),
    await person(`${name}+1@GMAIL.com`),
    await person(`pro.mo${mailboxes}x@googlemail.com`),
  ] as const
}

const seedOf = async (userId: string, days = 0) =>
  ((await api('wheel', { caller: callerOf(userId) }, days)).json as unknown as { serverSeedHash: string })
    .serverSeedHash
const spin = async (userId: string, days = 0) => {
  const request = { clientSeed: 'seed', serverSeedHash: await seedOf(userId, days) }
  return (await api('spin', { caller: callerOf(userId), request }, days)).code ?? 'spun'
}

describe('a free spin (S7)', () => {
  test('belongs to the mailbox, until the next one is due', async () => {
    const [one, other, third] = await threeOfOne()
    expect([await spin(one), await spin(other), await spin(third)]).toEqual(['spun', 'NO_SPINS', 'NO_SPINS'])
    expect((await api('wheel', { caller: callerOf(other) })).json).toMatchObject({ spinCount: 0 })
    expect([await spin(third, 7), await spin(one, 7)]).toEqual(['spun', 'NO_SPINS'])
  })

  test('is given once when all accounts of a mailbox spin at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const people = await threeOfOne()
      const spun = await Promise.all(people.map((userId) => spin(userId)))
      expect(spun.toSorted()).toEqual(['NO_SPINS', 'NO_SPINS', 'spun'])
    }
  })

  test('does not come back by a change of the address', async () => {
    const first = await person('moved@example.test')
    expect(await spin(first)).toBe('spun')
    await database.owner.query(`update cms_api.people set email = 'elsewhere@example.test' where id = $1`, [first])
    expect(await spin(await person('moved+again@example.test'))).toBe('NO_SPINS')
    expect(await spin(first)).toBe('NO_SPINS')
  })

  test('is not taken from a mailbox by somebody who entered its address without confirming it', async () => {
    const stranger = await person('taken@example.test', { verified: false })
    expect(await spin(stranger)).toBe('spun')
    expect(await spin(await person('taken+own@example.test'))).toBe('spun')
  })

  test('counts for those who took it before mailboxes were remembered', async () => {
    const [one, other] = await threeOfOne()
    expect(await spin(one)).toBe('spun')
    await database.owner.query('delete from control.mailboxes')
    await noteEarlierMailboxes({ db: database.db, clock: { now: () => NOW } })
    expect(await spin(other)).toBe('NO_SPINS')
  })
})

describe('a test server (S7)', () => {
  const grant = async (userId: string) => {
    const caller = { ...callerOf(userId), isSupport: true }
    const wanted = { userId, serviceId: shop.serviceId, packageId: shop.packageId, name: 'Try' }
    return (await api('grant-test-server', { caller, wanted })).code ?? 'granted'
  }

  test('is granted once to a mailbox, at the same moment too', async () => {
    const [one, other, third] = await threeOfOne()
    const answers = await Promise.all([grant(one), grant(other), grant(third)])
    expect(answers.toSorted()).toEqual(['TEST_ALREADY_HAD', 'TEST_ALREADY_HAD', 'granted'])
    expect(await grant(await person('somebody-else@gmail.com'))).toBe('granted')
  })
})

describe('a coupon for one use per customer (S7)', () => {
  const coupon = async () => {
    const code = `FIRST${(mailboxes += 1)}`
    await database.owner.query(
      `insert into cms_api.coupons (id, name, code, type, amount, usage) values ($1, $2, $2, 'percentage', 50, 'once')`,
      [systemIds.next(), code],
    )
    return code
  }
  const requestOf = (couponCode: string) => ({
    serviceId: shop.serviceId,
    packageId: shop.packageId,
    months: 1,
    couponCode,
  })
  const order = async (userId: string, code: string) =>
    (await api('order', { caller: callerOf(userId), request: { ...requestOf(code), name: 'My server' } })).code ??
    'ordered'
  const quote = async (userId: string, code: string) =>
    (await api('quote', { caller: callerOf(userId), request: requestOf(code) })).code ?? 'quoted'

  test('is used once by a mailbox, in quote and order', async () => {
    const [one, other] = await threeOfOne()
    const code = await coupon()
    expect(await order(one, code)).toBe('ordered')
    expect([await quote(other, code), await order(other, code)]).toEqual(['COUPON_ALREADY_USED', 'COUPON_ALREADY_USED'])
    expect(await order(await person('another@gmail.com'), code)).toBe('ordered')
  })

  test('is used once when all accounts of a mailbox order at the same moment', async () => {
    const people = await threeOfOne()
    const code = await coupon()
    const answers = await Promise.all(people.map((userId) => order(userId, code)))
    expect(answers.toSorted()).toEqual(['COUPON_ALREADY_USED', 'COUPON_ALREADY_USED', 'ordered'])
  })
})

test('a coupon for spins is redeemed once by a mailbox (S7)', async () => {
  const code = 'FREESPINS'
  await database.owner.query(
    `insert into cms_api.spin_coupons (id, code, number_of_uses, spins) values ($1, $2, 100, 3)`,
    [systemIds.next(), code],
  )
  const people = await threeOfOne()
  const redeem = async (userId: string) =>
    (await api('spin-coupon', { caller: callerOf(userId), request: { code } })).code ?? 'redeemed'
  const answers = await Promise.all(people.map(redeem))
  expect(answers.toSorted()).toEqual(['COUPON_ALREADY_USED', 'COUPON_ALREADY_USED', 'redeemed'])
})
