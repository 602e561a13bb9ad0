import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { BILLING_MONTH_MS, DAY_MS } from '#domain/billing/period.ts'
import { systemIds } from '#platform/ids.ts'
import { changePackage } from '../../../control-plane/money/modification/change-package.ts'
import { MODIFICATION_FAULTS } from '../../../control-plane/money/modification/modify-server.ts'
import { EXPIRY_MS, START_MS } from '../../factories/expiring-servers.ts'
import { openPackages } from '../../factories/packaged-servers.ts'
import { callerOf } from '../../factories/shop.ts'
import { withdraw } from '../../factories/withdrawals.ts'

let shop: Awaited<ReturnType<typeof openPackages>>
beforeAll(async () => {
  shop = await openPackages()
})
afterEach(async () => {
  expect(await shop.database.owner.query('select * from control.ledger_violations')).toEqual([])
  await shop.rest()
})
afterAll(() => shop.database.close())

const TEN_DAYS_MS = START_MS + 10 * DAY_MS
const inSmall = () => ({ packageId: shop.small, monthly: 490, memory: 512, storage: 1024, sent: 512, planned: null })
const inLarge = () => ({ packageId: shop.large, monthly: 2970, memory: 4096, storage: 2048, sent: 4096, planned: null })
const inMedium = () => ({ packageId: shop.shop.packageId, monthly: 990, memory: 1024, storage: 2048, sent: 1024 })

describe('a package that costs more', () => {
  test('applies at once for the difference over the remaining days, which is one sale with statement line and invoice', async () => {
    const owner = await shop.customerWith(5000n)
    const done = await shop.changed(owner, shop.large, TEN_DAYS_MS, { expectedChargeFt: 1320, expectedMonthlyFt: 2970 })
    // 1,980 Ft for 20 of 30 days.
    expect(done).toMatchObject({ ok: true, answer: { at: 'once', chargeFt: 1320, monthlyFt: 2970 } })
    expect(await shop.moneyOf(owner)).toBe(3680n)
    expect(await shop.sizeOf(owner)).toEqual(inLarge())
    const lines = await shop.database.owner.query(
      `select type, amount_ft from control.wallet_transactions where user_id = $1 and document_kind = 'modification'`,
      [owner.userId],
    )
    expect(lines).toEqual([{ type: 'server modification', amount_ft: -1320n }])
    const sold = await shop.database.owner.query(
      `select m.from_package_id, m.to_package_id, i.gross_ft from control.modifications m
         join control.invoices i on i.document_id = m.id::text where m.server_id = $1`,
      [owner.serverId],
    )
    expect(sold).toEqual([{ from_package_id: shop.shop.packageId, to_package_id: shop.large, gross_ft: 1320n }])
    expect(await shop.activitiesOf(owner)).toContain('server.modified')
    expect(await shop.renewed(owner, TEN_DAYS_MS)).toMatchObject({ answer: { totalFt: 2970 } })
  })

  test('is charged once for a key, and refused at another price than the customer saw', async () => {
    const owner = await shop.customerWith(5000n)
    const wish = shop.wishOf(owner, shop.large, { expectedChargeFt: 1980 })
    const [first, second] = [await changePackage(shop.at(START_MS), wish), await changePackage(shop.at(START_MS), wish)]
    expect([first, second]).toMatchObject([
      { ok: true, replayed: false },
      { ok: true, replayed: true },
    ])
    expect(await shop.moneyOf(owner)).toBe(3020n)
    const other = await shop.customerWith(5000n)
    expect(await shop.changed(other, shop.large, START_MS, { expectedChargeFt: 1979 })).toMatchObject({
      code: 'PRICE_CHANGED',
      params: { price: '1980' },
    })
    expect(await shop.changed(other, shop.large, START_MS, { expectedMonthlyFt: 2969 })).toMatchObject({
      code: 'PRICE_CHANGED',
    })
    expect(await shop.moneyOf(other)).toBe(5000n)
  })

  test('is refused with the missing amount, and changes nothing', async () => {
    const owner = await shop.customerWith(100n)
    expect(await shop.changed(owner, shop.large)).toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
      missing: { minor: 1880n },
    })
    expect(await shop.sizeOf(owner)).toMatchObject(inMedium())
  })

  test('that its node rejects is reverted: size, package, price and money are as before', async () => {
    const owner = await shop.customerWith(5000n)
    expect(await shop.changed(owner, shop.large)).toMatchObject({ ok: true })
    // The cheaper package that is planned now would be dearer than the restored one, or the restored one itself.
    expect(await shop.changed(owner, shop.shop.packageId)).toMatchObject({ answer: { at: 'renewal' } })
    expect(await shop.node.askedAt(owner.serverId, START_MS)).toEqual({ do: 'step', step: { kind: 'update' } })
    await shop.node.says(owner.serverId, START_MS, { refusal: 'INTERNAL' })
    await shop.node.beatAt(START_MS + 1000)
    expect(await shop.reverted(START_MS + 1000)).toEqual({ reversed: 1, failed: 0 })
    expect(await shop.sizeOf(owner)).toEqual({ ...inMedium(), planned: null })
    expect(await shop.moneyOf(owner)).toBe(5000n)
  })

  test('replaces a plan that was made before', async () => {
    const owner = await shop.customerWith(5000n)
    await shop.changed(owner, shop.small)
    expect(await shop.changed(owner, shop.large)).toMatchObject({ answer: { at: 'once' } })
    expect(await shop.sizeOf(owner)).toEqual(inLarge())
  })

  test.each(MODIFICATION_FAULTS)('interrupted at %s it is either made or not', async (point) => {
    const owner = await shop.customerWith(5000n)
    const wish = shop.wishOf(owner, shop.large)
    const dies = async (passed: string) => {
      if (passed === point) throw new Error('killed')
    }
    await expect(changePackage(shop.at(START_MS, dies), wish)).rejects.toThrow('killed')
    const isMade = point === 'modification.committed'
    expect(await shop.moneyOf(owner)).toBe(isMade ? 3020n : 5000n)
    expect(await shop.sizeOf(owner)).toMatchObject(isMade ? inLarge() : inMedium())
    expect(await changePackage(shop.at(START_MS), wish)).toMatchObject({ ok: true, replayed: isMade })
    expect([await shop.moneyOf(owner), await shop.sizeOf(owner)]).toEqual([3020n, inLarge()])
  })
})

describe('a package that is not to be had', () => {
  test.each([
    ['of another service', { serviceId: systemIds.next() }],
    ['that is not sold any more', { orderable: false }],
  ])('%s is refused, and nothing is charged', async (_, made) => {
    const owner = await shop.customerWith(9000n)
    const packageId = await shop.packageOf({ name: 'Other', priceFt: 1990, memoryMiB: 2048, ...made })
    expect(await shop.changed(owner, packageId)).toEqual({ ok: false, code: 'PACKAGE_UNAVAILABLE' })
    expect([await shop.moneyOf(owner), await shop.sizeOf(owner)]).toMatchObject([9000n, inMedium()])
    expect((await shop.quoted(owner)).offers.map((offer) => offer.packageId)).not.toContain(packageId)
  })

  test('for which the node has no room is refused, and says so before anybody pays', async () => {
    const owner = await shop.customerWith(90_000n)
    const packageId = await shop.packageOf({ name: 'Huge', priceFt: 19_900, memoryMiB: 2_000_000 })
    expect(await shop.changed(owner, packageId)).toEqual({ ok: false, code: 'NO_CAPACITY' })
    const offer = (await shop.quoted(owner)).offers.find((each) => each.packageId === packageId)
    expect(offer?.obstacle).toBe('no-capacity')
    expect(await shop.moneyOf(owner)).toBe(90_000n)
  })

  test('for a server of somebody else is refused without a word about it', async () => {
    const owner = await shop.customerWith(5000n)
    const stranger = { ...owner, userId: systemIds.next() }
    expect(await shop.changed(stranger, shop.large)).toEqual({ ok: false, code: 'NOT_FOUND' })
    expect(await shop.kept(stranger)).toEqual({ ok: false, code: 'NOT_FOUND' })
  })

  test('for an unverified account is refused', async () => {
    const owner = await shop.customerWith(5000n)
    for (const packageId of [shop.small, shop.large]) {
      const wish = { ...shop.wishOf(owner, packageId), caller: { ...callerOf(owner.userId), isVerified: false } }
      expect(await changePackage(shop.at(START_MS), wish)).toEqual({ ok: false, code: 'EMAIL_NOT_VERIFIED' })
    }
    expect(await shop.sizeOf(owner)).toMatchObject({ ...inMedium(), planned: null })
  })
})

describe('a package that costs less', () => {
  test('is planned for the end of the paid time: nothing is refunded, and the quote of a renewal has its price', async () => {
    const owner = await shop.customerWith(5000n)
    const planned = await shop.changed(owner, shop.small)
    expect(planned).toMatchObject({ answer: { at: 'renewal', chargeFt: 0, startsAtMs: EXPIRY_MS } })
    expect([await shop.moneyOf(owner), await shop.sizeOf(owner)]).toEqual([
      5000n,
      { ...inMedium(), planned: shop.small },
    ])
    expect((await shop.quoted(owner)).planned).toEqual({
      packageId: shop.small,
      name: 'Tiny',
      monthlyFt: 490,
      startsAt: new Date(EXPIRY_MS).toISOString(),
      isPaid: false,
    })
    const [shown] = await shop.database.owner.query('select renewal_price_ft from control_api.servers where id = $1', [
      owner.serverId,
    ])
    expect(shown).toEqual({ renewal_price_ft: 490 })
    expect(await shop.activitiesOf(owner)).toContain('server.package-planned')
  })

  test('is the price of the renewal, and the size follows when the paid time in the present package ends', async () => {
    const owner = await shop.customerWith(5000n)
    await shop.changed(owner, shop.small)
    expect(await shop.renewed(owner, TEN_DAYS_MS)).toMatchObject({ answer: { totalFt: 490 } })
    expect(await shop.sizeOf(owner)).toEqual({ ...inMedium(), planned: shop.small })
    await shop.runAt(TEN_DAYS_MS)
    await shop.runAt(EXPIRY_MS - 1)
    expect(await shop.sizeOf(owner)).toMatchObject(inMedium())
    await shop.runAt(EXPIRY_MS)
    expect(await shop.sizeOf(owner)).toEqual(inSmall())
    expect(await shop.activitiesOf(owner)).toContain('server.package-changed')
    expect(await shop.node.askedAt(owner.serverId, EXPIRY_MS)).toEqual({ do: 'step', step: { kind: 'update' } })
    expect(await shop.renewed(owner, EXPIRY_MS)).toMatchObject({ answer: { totalFt: 490 } })
  })

  test('is what an automatic renewal pays for', async () => {
    const owner = await shop.customerWith(500n, { auto: true })
    await shop.changed(owner, shop.small)
    await shop.runAt(EXPIRY_MS - DAY_MS / 2)
    expect([await shop.moneyOf(owner), await shop.sizeOf(owner)]).toMatchObject([10n, inMedium()])
    await shop.runAt(EXPIRY_MS)
    expect(await shop.sizeOf(owner)).toEqual(inSmall())
  })

  test('begins at once where an expired server is renewed', async () => {
    const owner = await shop.customerWith(5000n)
    await shop.runAt(EXPIRY_MS)
    expect(await shop.changed(owner, shop.small, EXPIRY_MS + DAY_MS)).toMatchObject({ ok: true })
    expect(await shop.renewed(owner, EXPIRY_MS + DAY_MS)).toMatchObject({ answer: { totalFt: 490 } })
    expect(await shop.sizeOf(owner)).toEqual(inSmall())
  })

  test('can be cancelled while nothing in it is paid, and not afterwards', async () => {
    const owner = await shop.customerWith(5000n)
    await shop.changed(owner, shop.small)
    expect(await shop.kept(owner)).toEqual({ ok: true })
    expect(await shop.kept(owner)).toEqual({ ok: true })
    expect((await shop.activitiesOf(owner)).filter((type) => type === 'server.package-kept')).toHaveLength(1)
    expect(await shop.renewed(owner, TEN_DAYS_MS)).toMatchObject({ answer: { totalFt: 990 } })
    await shop.changed(owner, shop.small, TEN_DAYS_MS)
    expect(await shop.renewed(owner, TEN_DAYS_MS)).toMatchObject({ answer: { totalFt: 490 } })
    expect(await shop.kept(owner, TEN_DAYS_MS)).toEqual({ ok: false, code: 'CHANGE_ALREADY_PAID' })
    expect(await shop.changed(owner, shop.large, TEN_DAYS_MS)).toEqual({ ok: false, code: 'CHANGE_ALREADY_PAID' })
    const paid = (await shop.quoted(owner, TEN_DAYS_MS)).offers.map(({ at, chargeFt }) => ({ at, chargeFt }))
    expect(paid).toContainEqual({ at: 'once', chargeFt: 0 })
    expect(paid.every(({ chargeFt }) => chargeFt === 0)).toBe(true)
    // The renewed month was paid in the present package.
    await shop.runAt(EXPIRY_MS)
    expect(await shop.sizeOf(owner)).toMatchObject(inMedium())
    await shop.runAt(EXPIRY_MS + BILLING_MONTH_MS)
    expect(await shop.sizeOf(owner)).toEqual(inSmall())
  })

  test('is announced to its owner when it begins', async () => {
    const owner = await shop.customerWith(5000n)
    await shop.changed(owner, shop.small)
    await shop.renewed(owner, TEN_DAYS_MS)
    await shop.runAt(EXPIRY_MS)
    const notices = `select data ->> 'amount' as amount, told_at as told from control.notifications
      where user_id = $1 and text = 'server.package-changed'`
    // Mail and push are still to be sent.
    expect(await shop.database.owner.query(notices, [owner.userId])).toEqual([{ amount: '490', told: null }])
  })

  test('waits for room on its node if it is larger in memory', async () => {
    const owner = await shop.customerWith(5000n)
    const packageId = await shop.packageOf({ name: 'Wide', priceFt: 890, memoryMiB: 2048 })
    await shop.changed(owner, packageId)
    await shop.renewed(owner, TEN_DAYS_MS)
    const memory = (mib: number) =>
      shop.database.owner.query('update cms_api.computers set available_memory_mib = $1', [mib])
    await memory(1024)
    await shop.runAt(EXPIRY_MS)
    expect(await shop.sizeOf(owner)).toEqual({ ...inMedium(), planned: packageId })
    await memory(1_000_000)
    await shop.runAt(EXPIRY_MS + DAY_MS)
    expect(await shop.sizeOf(owner)).toEqual({
      packageId,
      monthly: 890,
      memory: 2048,
      storage: 2048,
      sent: 2048,
      planned: null,
    })
  })

  test('is not planned where its node has no room for it', async () => {
    const owner = await shop.customerWith(5000n)
    const packageId = await shop.packageOf({ name: 'Widest', priceFt: 890, memoryMiB: 2_000_000 })
    expect(await shop.changed(owner, packageId)).toEqual({ ok: false, code: 'NO_CAPACITY' })
    expect(await shop.sizeOf(owner)).toEqual({ ...inMedium(), planned: null })
    const offer = (await shop.quoted(owner)).offers.find((each) => each.packageId === packageId)
    expect(offer).toMatchObject({ at: 'renewal', obstacle: 'no-capacity' })
  })

  test('keeps its price when the catalog changes before the renewal', async () => {
    const owner = await shop.customerWith(5000n)
    const packageId = await shop.packageOf({ name: 'Offer', priceFt: 690, memoryMiB: 768 })
    await shop.changed(owner, packageId)
    await shop.database.owner.query(
      'update cms_api.packages set price_per_month_ft = 1990, orderable = false where id = $1',
      [packageId],
    )
    expect(await shop.renewed(owner, TEN_DAYS_MS)).toMatchObject({ answer: { totalFt: 690 } })
  })
})

test('a withdrawal from the renewal in the planned package returns its price, and the plan waits for the next one', async () => {
  const owner = await shop.customerWith(5000n)
  await shop.changed(owner, shop.small)
  const renewal = await shop.renewed(owner, TEN_DAYS_MS)
  if (!renewal.ok) throw new Error(renewal.code)
  const subject = { kind: 'renewal', documentId: renewal.answer.renewalId } as const
  const withdrawn = await withdraw(shop.database.db, { userId: owner.userId, subject, nowMs: TEN_DAYS_MS + DAY_MS })
  expect(withdrawn).toMatchObject({ ok: true })
  expect(await shop.moneyOf(owner)).toBe(5000n)
  expect((await shop.quoted(owner, TEN_DAYS_MS + DAY_MS)).planned).toMatchObject({
    packageId: shop.small,
    isPaid: false,
  })
  expect(await shop.kept(owner, TEN_DAYS_MS + DAY_MS)).toEqual({ ok: true })
})
