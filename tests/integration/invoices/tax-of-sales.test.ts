import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { BILLING_MONTH_MS } from '#domain/billing/period.ts'
import { modifyServer } from '../../../control-plane/money/modification/modify-server.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { quoteOrder } from '../../../control-plane/money/orders/quote-order.ts'
import { settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import { purchasePremium } from '../../../control-plane/money/premium/buy-premium.ts'
import { quoteRenewal } from '../../../control-plane/money/renewals/quote-renewal.ts'
import { renewServer } from '../../../control-plane/money/renewals/renew-server.ts'
import { purchaseSpins } from '../../../control-plane/money/wheel/more-spins.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { prize, setWheel } from '../../factories/prizes.ts'
import { openShop, orderContext, shopDatabase, type Shop } from '../../factories/shop.ts'
import { bookedOf, documentsOf, keyedFor, taxedCustomer } from '../../factories/taxed-sales.ts'

const START_MS = Date.UTC(2026, 5, 1)
const SMALL = { cpuPercent: 100, ramMiB: 1024, storageMiB: 1024 }
const LARGE = { cpuPercent: 300, ramMiB: 3072, storageMiB: 1024 }
const VAT_NUMBER = 'DE136695976'

let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner, { portCount: 1000, memoryMiB: 1_000_000 })
  const range = (step: number, unitPriceFt: number) => ({ minimum: step, maximum: 8 * step, step, unitPriceFt })
  const resources = { cpuPercent: range(100, 1003), ramMiB: range(1024, 517), storageMiB: range(1024, 0) }
  await database.owner.query('update cms_api.services set resources = $1', [JSON.stringify(resources)])
  await setWheel(database.owner, [prize('nothing')])
  await database.owner.query('update cms_api.prize_wheel set buying = true')
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

let nowMs = START_MS
const context = () => orderContext(database.db, { now: () => nowMs })
const request = (months: number) => ({ serviceId: shop.serviceId, resources: SMALL, months })

async function ordered(userId: string, months = 1) {
  const quoted = await quoteOrder(context(), { userId, request: request(months) })
  const placed = await placeOrder(context(), { ...keyedFor(userId), request: { ...request(months), name: 'S' } })
  if (!placed.ok || !quoted.ok) throw new Error('not ordered')
  return { ...placed.answer, quote: quoted.quote }
}
const install = (serverId: string) => settleOrder(context(), { serverId, outcome: 'installed', reason: '' })

/** Everything there is to buy, each with what was said before where something is. */
async function buyEverything(userId: string) {
  nowMs = START_MS
  const { serverId, quote } = await ordered(userId, 2)
  await install(serverId)
  const renewal = await quoteRenewal(context(), { caller: keyedFor(userId).caller, serverId, months: 1 })
  if (!renewal.ok) throw new Error(renewal.code)
  await renewServer(context(), { ...keyedFor(userId), serverId, request: { months: 1 } })
  nowMs += BILLING_MONTH_MS / 3
  await modifyServer(context(), { ...keyedFor(userId), serverId, request: { resources: LARGE } })
  await purchasePremium(context(), { ...keyedFor(userId), request: { tier: 'essentials' } })
  await purchaseSpins(context(), { ...keyedFor(userId), request: { count: 3 } })
  return { quote, renewal: renewal.quote, serverId }
}

const SALES = ['order', 'renewal', 'modification', 'premium', 'spin'] as const
const TABLES = {
  order: 'orders',
  renewal: 'renewals',
  modification: 'modifications',
  premium: 'premium_purchases',
  spin: 'spin_purchases',
}

describe('one tax for quote, posting, invoice and sale', () => {
  it.each([
    ['HU', undefined, 'domestic-HU', 2700],
    ['DE', undefined, 'eu-consumer-DE', 1900],
    ['FI', undefined, 'eu-consumer-FI', 2550],
    ['DE', VAT_NUMBER, 'eu-reverse-charge', 0],
    ['US', undefined, 'outside-eu', 0],
  ] as const)('a customer in %s with the number %s is taxed as %s', async (country, vatNumber, rule, rate) => {
    const userId = await taxedCustomer(database, { country, vatNumber, atMs: START_MS })
    const { quote, renewal } = await buyEverything(userId)
    const documents = await documentsOf(database.owner, userId)
    expect(documents.map(({ cause }) => cause)).toEqual(SALES)
    for (const { cause, documentId, net, vat, gross, rule: written } of documents) {
      expect(written).toBe(rule)
      expect(vat).toBe(gross - Math.round((gross * 10_000) / (10_000 + rate)))
      expect(await bookedOf(database.owner, documentId)).toEqual({ net, vat })
      const table = TABLES[cause as keyof typeof TABLES]
      const [row] = await database.owner.query<{ tax: object }>(`select tax from control.${table} where id = $1`, [
        documentId,
      ])
      expect(row?.tax).toMatchObject({ ruleId: rule, version: '2025-08-01', country, rateBasisPoints: rate })
    }
    const [order, renewed] = documents
    expect(quote).toMatchObject({ netFt: order?.net, vatFt: order?.vat, totalFt: order?.gross, vatPercent: rate / 100 })
    expect(renewal).toMatchObject({ netFt: renewed?.net, vatFt: renewed?.vat, vatPercent: rate / 100 })
  })

  it('a sale costs the same in every country, because the displayed price includes the tax', async () => {
    const totals = []
    for (const country of ['HU', 'FI', 'US']) {
      const userId = await taxedCustomer(database, { country, atMs: START_MS })
      await buyEverything(userId)
      totals.push((await documentsOf(database.owner, userId)).map(({ gross }) => gross))
    }
    expect(totals[1]).toEqual(totals[0])
    expect(totals[2]).toEqual(totals[0])
  })

  it('T71: ledger, quote and invoice have the same tax for every country and number of months', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('HU', 'DE', 'FI', 'RO', 'SK', 'EE', 'CH', 'UA'),
        fc.integer({ min: 1, max: 6 }),
        fc.boolean(),
        async (country, months, isBusiness) => {
          nowMs = START_MS
          const vatNumber = isBusiness && country === 'DE' ? VAT_NUMBER : undefined
          const userId = await taxedCustomer(database, { country, vatNumber, atMs: START_MS })
          const { orderId, serverId, quote } = await ordered(userId, months)
          await install(serverId)
          const [document] = await documentsOf(database.owner, userId)
          const { netFt: net, vatFt: vat } = quote
          expect(document).toMatchObject({ net, vat, gross: quote.totalFt })
          expect(await bookedOf(database.owner, orderId)).toEqual({ net, vat })
        },
      ),
      { numRuns: 25 },
    )
  })

  it('a profile changed between order and delivery does not affect the order', async () => {
    nowMs = START_MS
    const userId = await taxedCustomer(database, { country: 'DE', atMs: START_MS })
    const { orderId, serverId, quote } = await ordered(userId)
    await database.owner.query(`update cms_api.invoice_contacts set country = 'US' where id = $1`, [userId])
    await install(serverId)
    const [document] = await documentsOf(database.owner, userId)
    expect(document).toMatchObject({ rule: 'eu-consumer-DE', net: quote.netFt, vat: quote.vatFt })
    expect(await bookedOf(database.owner, orderId)).toEqual({ net: quote.netFt, vat: quote.vatFt })
  })

  it('an order of the previous release without a tax is posted and invoiced as by that release', async () => {
    nowMs = START_MS
    const userId = await taxedCustomer(database, { country: 'DE', atMs: START_MS })
    const { orderId, serverId } = await ordered(userId)
    await database.owner.query('update control.orders set tax = default where id = $1', [orderId])
    await install(serverId)
    const [document] = await documentsOf(database.owner, userId)
    expect(document).toMatchObject({ rule: 'domestic-HU' })
    expect(await bookedOf(database.owner, orderId)).toEqual({ net: document?.net, vat: document?.vat })
  })
})

describe('a downgrade corrects the invoices of the refunded sales', () => {
  const smaller = async (userId: string, serverId: string, resources = SMALL) => {
    const wish = { ...keyedFor(userId), serverId, request: { resources } }
    const first = await modifyServer(context(), wish)
    expect(await modifyServer(context(), wish)).toMatchObject({ ok: true, replayed: true })
    if (!first.ok) throw new Error(first.code)
    return first.answer
  }

  it.each(['HU', 'FI', 'US'] as const)(
    'each sale is corrected by its share, with the tax as posted (%s)',
    async (country) => {
      const userId = await taxedCustomer(database, { country, atMs: START_MS })
      nowMs = START_MS
      const large = { ...request(1), resources: LARGE }
      const placed = await placeOrder(context(), { ...keyedFor(userId), request: { ...large, name: 'S' } })
      if (!placed.ok) throw new Error(placed.code)
      const { serverId } = placed.answer
      await install(serverId)
      await renewServer(context(), { ...keyedFor(userId), serverId, request: { months: 2 } })
      nowMs += BILLING_MONTH_MS / 8
      const { backFt, modificationId } = await smaller(userId, serverId)
      const documents = await documentsOf(database.owner, userId)
      expect(documents.map(({ kind, cause }) => [kind, cause])).toEqual([
        ['invoice', 'order'],
        ['invoice', 'renewal'],
        ['correction', 'order'],
        ['correction', 'renewal'],
      ])
      const corrections = documents.slice(2)
      const total = (part: 'net' | 'vat' | 'gross') => corrections.reduce((all, each) => all + each[part], 0)
      expect(total('gross')).toBe(-backFt)
      expect(await bookedOf(database.owner, modificationId)).toEqual({ net: total('net'), vat: total('vat') })
      // 7/8 of the ordered month and both renewed months come back, each at the difference of 3,040 Ft a month.
      expect(corrections.map(({ gross }) => gross)).toEqual([-2660, -6080])
      const percent = { HU: 27, FI: 25.5, US: 0 }[country]
      for (const [at, { cause, documentId, rule }] of documents.slice(0, 2).entries()) {
        const pair = [documents[at], documents[at + 2]]
        expect(pair[1]).toMatchObject({ cause, documentId, rule })
        const rest = (part: 'vat' | 'gross') => pair.reduce((all, each) => all + (each?.[part] ?? 0), 0)
        expect(rest('vat')).toBe(rest('gross') - Math.round((rest('gross') * 100) / (100 + percent)))
      }
    },
  )

  it('T71: a stepwise downgrade never refunds tax that was not charged', async () => {
    const userId = await taxedCustomer(database, { country: 'FI', atMs: START_MS })
    nowMs = START_MS
    const large = { ...request(1), resources: { ...LARGE, ramMiB: 8192 } }
    const placed = await placeOrder(context(), { ...keyedFor(userId), request: { ...large, name: 'S' } })
    if (!placed.ok) throw new Error(placed.code)
    const { serverId, orderId } = placed.answer
    await install(serverId)
    let booked = await bookedOf(database.owner, orderId)
    for (const ramMiB of [7168, 6144, 5120, 4096, 3072]) {
      const { modificationId } = await smaller(userId, serverId, { ...LARGE, ramMiB })
      const back = await bookedOf(database.owner, modificationId)
      booked = { net: booked.net + back.net, vat: booked.vat + back.vat }
    }
    const documents = await documentsOf(database.owner, userId)
    expect(documents).toHaveLength(6)
    const left = (part: 'net' | 'vat') => documents.reduce((all, each) => all + each[part], 0)
    expect({ net: left('net'), vat: left('vat') }).toEqual(booked)
    const gross = booked.net + booked.vat
    expect(booked.vat).toBe(gross - Math.round((gross * 10_000) / 12_550))
  })
})
