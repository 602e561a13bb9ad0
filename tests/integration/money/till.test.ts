import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { chargebackClaimed } from '../../../control-plane/money/ledger/payment-postings.ts'
import type { MoneyContext } from '../../../control-plane/money/ledger/money-context.ts'
import { premiumPercentOf } from '../../../control-plane/money/premium/premium-store.ts'
import { purchasePremium } from '../../../control-plane/money/premium/buy-premium.ts'
import {
  completeSale,
  giveUpSale,
  sell,
  sellLater,
  sellOnce,
  type Sale,
} from '../../../control-plane/money/sale/till.ts'
import { storedTax, taxOfCustomer } from '../../../control-plane/money/tax/tax-of-sale.ts'
import { soldThing } from '../../../control-plane/money/things/sold-thing.ts'
import { missingFor, spendable } from '../../../control-plane/money/wallet/debt.ts'
import { systemIds } from '#platform/ids.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { billedPerson } from '../../factories/invoices.ts'
import { balanceOf, callerOf, credit, openShop, orderContext, shopDatabase } from '../../factories/shop.ts'

/** A thing that nobody sells: everything the till has to know of it is here, and its rows are in a table of its own. */
const GIFT = soldThing<{ readonly greeting: string }>({
  name: 'gift',
  ledger: 'grant',
  statement: 'premium',
  document: 'premium',
  news: 'premium',
  invoice: 'premium',
  row: { table: 'gifts', paid: 'price_ft' },
  key: ({ id }) => `gift:${id}`,
  reason: ({ greeting }) => `Gift: ${greeting}`,
  invoiceText: ({ greeting }) => ({ en: `Gift, ${greeting}`, hu: `Ajándék, ${greeting}`, de: `Geschenk, ${greeting}` }),
  bought: ({ greeting, totalFt }) => ({
    activity: { type: 'gift.bought', detail: { greeting, totalFt } },
    notices: [{ text: 'purchase.success', data: { product: greeting, amount: totalFt } }],
  }),
  points: { begin: 'gift.begin', held: 'gift.held', done: 'gift.done', committed: 'gift.committed' },
  later: {
    delivered: ({ greeting }) => ({ activity: { type: 'gift.delivered', detail: { greeting } } }),
    failed: ({ greeting }) => ({ activity: { type: 'gift.failed', detail: { greeting } } }),
    points: { captured: 'gift.captured', released: 'gift.released' },
  },
})

const PRICE_FT = 1270n
const NOW = Date.UTC(2026, 5, 1)
let database: ControlDatabase
beforeAll(async () => {
  database = await shopDatabase()
  await openShop(database.owner)
  await database.owner.query(
    `create table control.gifts (id uuid primary key, user_id uuid not null, price_ft bigint not null, tax jsonb not null,
       hold_id uuid, state text not null)`,
  )
  await database.owner.query('grant select, insert, update on control.gifts to bakter_app')
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

const customer = async (amountFt: bigint, country = 'HU') => {
  const userId = await billedPerson(database.owner, { country })
  if (amountFt > 0n) await credit(database.db, { userId, amountFt })
  return userId
}

type Wish = { userId: string; key?: string; greeting?: string; faults?: MoneyContext['faults'] }
const contextOf = ({ faults }: Pick<Wish, 'faults'> = {}) =>
  orderContext(database.db, { now: () => NOW, ...(faults ? { faults } : {}) })

async function saleOf(
  tx: Sql,
  context: MoneyContext,
  { userId, greeting = 'hello' }: Wish,
): Promise<Sale<{ greeting: string }>> {
  const percent = BigInt(await premiumPercentOf(tx, { userId, nowMs: NOW }))
  const tax = await taxOfCustomer(tx, { userId, atMs: NOW })
  const total = forints((PRICE_FT * (100n - percent)) / 100n)
  const [id, buyer] = [context.ids.next(), callerOf(userId)]
  return { thing: GIFT, id, facts: { greeting }, total, tax, buyer, requestId: `request-${userId}` }
}

const writeGift =
  (tx: Sql, { id, buyer, total, tax }: Sale<{ greeting: string }>, state: string) =>
  (holdId: string | null) =>
    tx
      .query('insert into control.gifts values ($1, $2, $3, $4, $5, $6)', [
        id,
        buyer.userId,
        total.minor.toString(),
        JSON.stringify(storedTax(tax)),
        holdId,
        state,
      ])
      .then(() => undefined)

type Refusal = { readonly ok: false; readonly code: 'INSUFFICIENT_BALANCE'; readonly missingFt: bigint }

function buyGift(wish: Wish, later = false) {
  const context = contextOf(wish)
  const { userId, key = systemIds.next(), greeting = 'hello' } = wish
  const asked = { thing: GIFT, userId, key, body: { greeting } }
  return sellOnce<{ id: string }, Refusal>(context, asked, async (tx) => {
    const sale = await saleOf(tx, context, wish)
    const ledger = context.ledgerOn(tx)
    if ((await spendable(ledger, userId)).minor < sale.total.minor) {
      return {
        ok: false,
        code: 'INSUFFICIENT_BALANCE',
        missingFt: (await missingFor(ledger, userId, sale.total)).minor,
      }
    }
    const deliver = writeGift(tx, sale, later ? 'promised' : 'given')
    const sold = later
      ? await sellLater(tx, context, { sale, holdMs: 60_000, deliver })
      : await sell(tx, context, { sale, deliver })
    if (!sold.ok) return { ok: false, code: 'INSUFFICIENT_BALANCE', missingFt: sold.missing.minor }
    return { ok: true, answer: { id: sale.id } }
  })
}

const idOf = (bought: Awaited<ReturnType<typeof buyGift>>): string => (bought.ok ? bought.answer.id : '')

async function kept(userId: string) {
  const rows = (sql: string) => database.owner.query<Record<string, unknown>>(sql, [userId])
  return {
    gifts: await rows('select state from control.gifts where user_id = $1'),
    lines: await rows(
      `select type, amount_ft, status, reason from control.wallet_transactions where user_id = $1 and type = 'premium'`,
    ),
    activities: await rows(
      `select type, status, ip_address as address, detail from control.activities where user_id = $1 and type like 'gift.%' order by id`,
    ),
    notices: await rows('select text, data from control.notifications where user_id = $1'),
    news: await rows(
      `select payload #> '{message,data}' as data from control.outbox where request_id = 'request-' || $1::uuid::text
         and payload #>> '{message,event}' = 'balance.change' order by id`,
    ),
    invoices: await rows(
      `select document_kind, gross_ft, net_ft, vat_ft from control.invoices where user_id = $1 and document_kind = 'premium'`,
    ),
    holds: await rows(`select state from control.ledger_holds where owner_id = $1`),
  }
}

describe('selling a made-up thing', () => {
  it('a sale charges at once and writes its line, news, notification and invoice', async () => {
    const userId = await customer(5000n)
    const passed: string[] = []
    const bought = await buyGift({ userId, faults: async (point) => void passed.push(point) })
    expect(bought).toMatchObject({ ok: true, replayed: false })
    expect(await balanceOf(database.db, userId)).toEqual({ money: 3730n, held: 0n, available: 3730n })
    expect(await kept(userId)).toEqual({
      gifts: [{ state: 'given' }],
      lines: [{ type: 'premium', amount_ft: -1270n, status: 'finished', reason: 'Gift: hello' }],
      activities: [
        { type: 'gift.bought', status: 'success', address: '127.0.0.1', detail: { greeting: 'hello', totalFt: 1270 } },
      ],
      notices: [{ text: 'purchase.success', data: { product: 'hello', amount: 1270 } }],
      news: [{ data: { type: 'premium', change: 1270, balance: 3730 } }],
      invoices: [{ document_kind: 'premium', gross_ft: 1270n, net_ft: 1000n, vat_ft: 270n }],
      holds: [{ state: 'captured' }],
    })
    expect(passed.filter((point) => point.startsWith('gift.'))).toEqual([
      'gift.begin',
      'gift.held',
      'gift.done',
      'gift.committed',
    ])
  })

  it('a thing is sold once per key, and another request with the same key is refused', async () => {
    const userId = await customer(5000n)
    const key = systemIds.next()
    const first = await buyGift({ userId, key })
    expect(await buyGift({ userId, key })).toEqual({ ...first, replayed: true })
    expect(await buyGift({ userId, key, greeting: 'other' })).toEqual({ ok: false, code: 'IDEMPOTENCY_MISMATCH' })
    expect((await balanceOf(database.db, userId)).money).toBe(3730n)
  })

  it('a sale with an insufficient balance is refused, and writes nothing', async () => {
    const userId = await customer(1269n)
    expect(await buyGift({ userId })).toEqual({ ok: false, code: 'INSUFFICIENT_BALANCE', missingFt: 1n })
    expect(await kept(userId)).toMatchObject({ gifts: [], lines: [], activities: [], news: [], holds: [] })
  })

  it('the ledger refuses a price that was not checked before', async () => {
    const userId = await customer(1269n)
    const context = contextOf()
    const sold = await context.db.transaction(async (tx) => {
      const sale = await saleOf(tx, context, { userId })
      return sell(tx, context, { sale, deliver: writeGift(tx, sale, 'given') })
    })
    expect(sold).toMatchObject({ ok: false, missing: { minor: 1n } })
    expect(await kept(userId)).toMatchObject({ gifts: [], lines: [], activities: [], news: [], holds: [] })
  })

  it('a customer in debt cannot buy, and has to pay the debt first', async () => {
    const userId = await customer(2000n)
    const origin = { id: systemIds.next(), atMs: NOW, actor: 'system', requestId: 'debt' }
    const taken = { documentId: systemIds.next(), sourceId: '', provider: 'sandbox', userId, amount: forints(500n) }
    expect(
      await contextOf()
        .ledgerOn(database.db)
        .post(chargebackClaimed(origin, taken, forints(0n))),
    ).toMatchObject({
      ok: true,
    })
    expect(await buyGift({ userId })).toMatchObject({ ok: false, code: 'INSUFFICIENT_BALANCE' })
    expect(await kept(userId)).toMatchObject({ gifts: [], lines: [] })
  })

  it('a sale is taxed by the customer’s country', async () => {
    const userId = await customer(5000n, 'DE')
    expect(await buyGift({ userId })).toMatchObject({ ok: true })
    const [invoice] = (await kept(userId)).invoices
    const { rateBasisPoints } = await taxOfCustomer(database.owner, { userId, atMs: NOW })
    const [net, vat] = [Number(invoice?.net_ft), Number(invoice?.vat_ft)]
    expect(net + vat).toBe(1270)
    expect(vat).toBe(Math.round((1270 * Number(rateBasisPoints)) / (10_000 + Number(rateBasisPoints))))
  })

  it('a premium tier discounts the price', async () => {
    const userId = await customer(20_000n)
    const wish = { tier: 'ultimus' as const }
    const told = { caller: callerOf(userId), requestId: 'premium', idempotencyKey: systemIds.next() }
    expect(await purchasePremium(contextOf(), { ...told, request: wish })).toMatchObject({ ok: true })
    const percent = BigInt(await premiumPercentOf(database.db, { userId, nowMs: NOW }))
    expect(percent).toBeGreaterThan(0n)
    const before = (await balanceOf(database.db, userId)).money
    expect(await buyGift({ userId })).toMatchObject({ ok: true })
    expect(before - (await balanceOf(database.db, userId)).money).toBe((PRICE_FT * (100n - percent)) / 100n)
  })
})

describe('a made-up thing with a held price', () => {
  const settle = async (userId: string, outcome: 'delivered' | 'failed', id: string) => {
    const context = contextOf()
    await context.db.transaction(async (tx) => {
      const sale = { ...(await saleOf(tx, context, { userId })), id }
      const [row] = await tx.query<{ hold_id: string }>('select hold_id from control.gifts where id = $1', [id])
      const holdId = row?.hold_id ?? null
      const write = async () =>
        void (await tx.query('update control.gifts set state = $2 where id = $1', [id, outcome]))
      if (outcome === 'delivered') await completeSale(tx, context, { sale, holdId, deliver: write })
      else await giveUpSale(tx, context, { sale, holdId, state: 'released', undo: write })
    })
  }

  it('the price is held, and captured at delivery', async () => {
    const userId = await customer(5000n)
    const id = idOf(await buyGift({ userId }, true))
    expect(await balanceOf(database.db, userId)).toEqual({ money: 5000n, held: 1270n, available: 3730n })
    expect(await kept(userId)).toMatchObject({
      lines: [{ status: 'processing' }],
      invoices: [],
      holds: [{ state: 'open' }],
    })
    await settle(userId, 'delivered', id)
    expect(await balanceOf(database.db, userId)).toEqual({ money: 3730n, held: 0n, available: 3730n })
    expect(await kept(userId)).toMatchObject({
      gifts: [{ state: 'delivered' }],
      lines: [{ amount_ft: -1270n, status: 'finished' }],
      activities: [{ type: 'gift.bought' }, { type: 'gift.delivered', status: 'success', address: '' }],
      news: [{ data: { type: 'premium', change: 1270, balance: 3730 } }],
      invoices: [{ gross_ft: 1270n }],
      holds: [{ state: 'captured' }],
    })
  })

  it('the price is held, and released when the thing cannot be delivered', async () => {
    const userId = await customer(5000n)
    const id = idOf(await buyGift({ userId }, true))
    await settle(userId, 'failed', id)
    expect(await balanceOf(database.db, userId)).toEqual({ money: 5000n, held: 0n, available: 5000n })
    expect(await kept(userId)).toMatchObject({
      gifts: [{ state: 'failed' }],
      lines: [{ amount_ft: -1270n, status: 'failed' }],
      activities: [{ type: 'gift.bought' }, { type: 'gift.failed', status: 'failure' }],
      news: [{ data: { type: 'premium' } }, { data: { type: 'refund', change: 1270, balance: 5000 } }],
      invoices: [],
      holds: [{ state: 'released' }],
    })
  })
})

describe('the lock of the house accounts and the invoice series', () => {
  it('is held for one round trip with the document alone: the rest of an invoice is read before the money is taken', async () => {
    const userId = await customer(PRICE_FT)
    const context = contextOf()
    const seen: string[] = []
    await context.db.transaction(async (real) => {
      const tx: Sql = {
        query: async (text, values) => {
          const name = /control\.(?:ledger_capture|\w+ \()/.exec(text)?.[0] ?? text
          seen.push(`ask ${name}`)
          const rows = await real.query<never>(text, values)
          seen.push(`answer ${name}`)
          return rows
        },
      }
      const sale = await saleOf(tx, context, { userId })
      await sell(tx, context, { sale, deliver: writeGift(tx, sale, 'given') })
    })
    const behind = ['control.ledger_capture', 'control.invoices (', 'control.outbox (']
    expect(seen.slice(seen.indexOf('ask control.ledger_capture'))).toEqual([
      ...behind.map((name) => `ask ${name}`),
      ...behind.map((name) => `answer ${name}`),
    ])
  })
})
