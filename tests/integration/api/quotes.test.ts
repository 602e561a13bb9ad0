import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Quote } from '#contracts/http/order.ts'
import { Balance } from '#contracts/http/balance.ts'
import { ErrorBody } from '#contracts/http/errors.ts'
import { systemIds } from '#platform/ids.ts'
import { openConnectedSite, type ConnectedSite, type Visitor } from '../../factories/connected-site.ts'
import { moves } from '../../factories/ledger-moves.ts'
import { paidServer } from '../../factories/paid-server.ts'
import { credit } from '../../factories/shop.ts'

let connected: ConnectedSite
let visitor: Visitor
beforeAll(async () => {
  connected = await openConnectedSite()
  visitor = await connected.visit()
  await credit(connected.database.db, { userId: visitor.userId, amountFt: 10_000n })
})
afterAll(() => connected.close())

const RANGE = (step: number, unitPriceFt: number) => ({ minimum: step, maximum: 8 * step, step, unitPriceFt })
const SIZES = { cpuPercent: RANGE(100, 600), ramMiB: RANGE(1024, 500), storageMiB: RANGE(10_240, 200) }

type Offer = { category: string; points?: readonly [most: number, least: number, priceFt: number]; isSized?: boolean }

/** Another service of the shop, with a package of 1990 Ft. */
async function service({
  category,
  points,
  isSized = false,
}: Offer): Promise<{ serviceId: string; packageId: string }> {
  const [serviceId, packageId] = [systemIds.next(), systemIds.next()]
  const { owner } = connected.database
  await owner.query(
    `insert into cms_api.services select $1, $2, name, description, $3, server_template_id, machine_ids, banner, icon, orderable,
       highlighted, position, $4, $5, $6, $7, operating_systems, starting_price_ft from cms_api.services where id = $8`,
    [
      serviceId,
      serviceId,
      category,
      points?.[0] ?? null,
      points?.[1] ?? null,
      points?.[2] ?? null,
      isSized || points ? JSON.stringify(SIZES) : null,
      connected.shop.serviceId,
    ],
  )
  await owner.query(
    `insert into cms_api.packages select $1, $2, name, description, 1990, 200, 4096, 40960, true, false from cms_api.packages
     where id = $3`,
    [packageId, serviceId, connected.shop.packageId],
  )
  return { serviceId, packageId }
}
const ask = (route: 'POST /api/orders/quote' | 'POST /api/orders', body: object, who = visitor) =>
  connected.site.ask(route, { headers: { ...who.headers, 'idempotency-key': systemIds.next() }, body })
const quote = async (body: object, who = visitor) => {
  const { status, json } = await ask('POST /api/orders/quote', body, who)
  expect([status, json]).toMatchObject([200, {}])
  return Quote.parse(json)
}
const codeOf = (json: unknown) => ErrorBody.safeParse(json).data?.error.code

describe('prices through the API', () => {
  it('a VPS is quoted, by package and by size, and cannot be ordered', async () => {
    const { serviceId, packageId } = await service({ category: 'vps', isSized: true })
    expect(await quote({ serviceId, packageId, months: 3 })).toMatchObject({ monthlyFt: 1990, totalFt: 5970 })
    const resources = { cpuPercent: 200, ramMiB: 2048, storageMiB: 20_480 }
    expect(await quote({ serviceId, resources, months: 1 })).toMatchObject({ totalFt: 2600 })
    for (const what of [{ packageId }, { resources }]) {
      const { status, json } = await ask('POST /api/orders', { serviceId, ...what, months: 1, name: 'V' })
      expect([status, codeOf(json)]).toEqual([422, 'NOT_ORDERABLE'])
    }
    const { json } = await connected.site.ask('GET /api/services')
    const listed = (json as unknown as { id: string; packages: { pricePerMonthFt: number }[] }[]).find(
      ({ id }) => id === serviceId,
    )
    expect(listed).toMatchObject({ unavailableReason: expect.stringMatching(/./) as string })
    expect(listed?.packages.map(({ pricePerMonthFt }) => pricePerMonthFt)).toEqual([1990])
  })

  it('points are quoted at their price within their bounds', async () => {
    const { serviceId } = await service({ category: 'gameServer', points: [32, 4, 150] })
    const size = { cpuPercent: 100, ramMiB: 1024, storageMiB: 10_240 }
    const found = await quote({ serviceId, resources: { ...size, points: 10 }, months: 2 })
    expect(found).toMatchObject({ monthlyFt: 1500, totalFt: 3000, netFt: 2362, vatFt: 638, vatPercent: 27 })
    expect(found.parts).toEqual([{ kind: 'resource', key: 'points', quantity: 10, monthlyFt: 1500, amountFt: 3000 }])
    for (const points of [3, 33]) {
      const { status, json } = await ask('POST /api/orders/quote', {
        serviceId,
        resources: { ...size, points },
        months: 1,
      })
      expect([points, status, codeOf(json)]).toEqual([points, 422, 'INVALID_RESOURCES'])
    }
  })

  it.each(['bot', 'other'])(
    'a service of the category "%s" is quoted, and its order costs the displayed price',
    async (category) => {
      const { serviceId, packageId } = await service({ category })
      const { totalFt } = await quote({ serviceId, packageId, months: 1 })
      const body = { serviceId, packageId, months: 1, name: category }
      const other = await ask('POST /api/orders', { ...body, expectedTotalFt: totalFt - 1 })
      expect([other.status, codeOf(other.json)]).toEqual([409, 'PRICE_CHANGED'])
      const placed = await ask('POST /api/orders', { ...body, expectedTotalFt: totalFt })
      expect([placed.status, placed.json]).toMatchObject([201, { order: { totalFt } }])
    },
  )
})

describe('what somebody has', () => {
  const balanceOf = async (who: Visitor) => {
    const { json } = await connected.site.ask('GET /api/balance', { headers: who.headers })
    return Balance.parse(json)
  }

  it('the balance lists renewing servers: neither tests nor pending orders, nor those of others', async () => {
    const anna = await connected.visit()
    const { db, owner } = connected.database
    const { shop } = connected
    await credit(db, { userId: anna.userId, amountFt: 10_000n })
    expect((await balanceOf(anna)).renewing).toEqual([])
    const { serverId } = await paidServer(db, { shop, userId: anna.userId, nowMs: Date.now() })
    const test = await paidServer(db, { shop, userId: anna.userId, nowMs: Date.now() })
    await owner.query('update control.servers set is_test = true where id = $1', [test.serverId])
    await ask(
      'POST /api/orders',
      { serviceId: shop.serviceId, packageId: shop.packageId, months: 1, name: 'new' },
      anna,
    )
    const { renewing, debtFt, renewalDiscount } = await balanceOf(anna)
    expect([debtFt, renewalDiscount]).toEqual([0, null])
    expect(renewing).toMatchObject([{ id: serverId, monthlyPriceFt: 990 }])
  })

  it('the balance includes the debt, and a quote the amount to top up before it can be paid', async () => {
    const bela = await connected.visit()
    const { shop, context, database } = connected
    await context.ledgerOn(database.db).post(moves.owe(bela.userId, 700n))
    expect(await balanceOf(bela)).toMatchObject({ balanceFt: 0, debtFt: 700 })
    const wanted = { serviceId: shop.serviceId, packageId: shop.packageId, months: 1 }
    expect(await quote(wanted, bela)).toMatchObject({ totalFt: 990, missingFt: 1690 })
  })

  it('the balance includes the premium discount on renewals, and its end', async () => {
    const cili = await connected.visit()
    await credit(connected.database.db, { userId: cili.userId, amountFt: 10_000n })
    const headers = { ...cili.headers, 'idempotency-key': systemIds.next() }
    await connected.site.ask('POST /api/premium', { headers, body: { tier: 'maximus' } })
    const { renewalDiscount } = await balanceOf(cili)
    expect(renewalDiscount).toEqual({ percent: 10, until: expect.stringMatching(/^20/) as string })
  })
})
