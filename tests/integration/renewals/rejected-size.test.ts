import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS } from '#domain/billing/period.ts'
import { TAKE_WITHIN_MS } from '#domain/billing/rejected-resize.ts'
import { documentReturns } from '../../../control-plane/money/invoices/correct-sale.ts'
import { explainLine } from '../../../control-plane/money/wallet/explain-line.ts'
import { revertRejected } from '../../../control-plane/money/modification/revert-rejected.ts'
import { renewServer } from '../../../control-plane/money/renewals/renew-server.ts'
import { renewCommand } from '../../factories/paid-server.ts'
import { balanceOf } from '../../factories/shop.ts'
import { IN_LARGE, IN_SMALL, LARGE, openSizes } from '../../factories/size-changes.ts'

const START_MS = Date.UTC(2026, 5, 1)
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const LATER_MS = START_MS + TAKE_WITHIN_MS

let sizes: Awaited<ReturnType<typeof openSizes>>
beforeAll(async () => {
  sizes = await openSizes()
})
afterEach(() => sizes.rest())
afterAll(() => sizes.database.close())

describe('T51: a size that its node refuses', () => {
  it('T51: a refusal restores the old size and price and refunds all the money, once', async () => {
    const customer = await sizes.customerWith(5000n)
    await sizes.refused(customer)
    expect([await sizes.moneyOf(customer), await sizes.serverOf(customer)]).toMatchObject([3500n, IN_LARGE])
    expect(await sizes.lookedAt(START_MS + 3 * HOUR_MS)).toBe(1)
    expect(await sizes.moneyOf(customer)).toBe(5000n)
    expect(await sizes.serverOf(customer)).toMatchObject({ ...IN_SMALL, generation: 3, said: 3 })
    for (let look = 4; look < 8; look += 1) expect(await sizes.lookedAt(START_MS + look * HOUR_MS)).toBe(0)
    expect(await sizes.moneyOf(customer)).toBe(5000n)
    expect(await sizes.keysOf(customer)).toHaveLength(1)
    // The node is told the size that it has.
    await sizes.asked(customer, START_MS + 8 * HOUR_MS)
    await sizes.node.says(customer.serverId, START_MS + 8 * HOUR_MS, 'done')
    expect(await sizes.serverOf(customer)).toMatchObject({ ...IN_SMALL, generation: 3 })
  })

  it('T51: the owner is told in the statement, the bell, the balance, the log and by a document', async () => {
    const customer = await sizes.customerWith(5000n)
    const { userId, serverId } = customer
    await sizes.refused(customer)
    await sizes.database.owner.query('delete from control.outbox')
    await sizes.lookedAt(START_MS + MINUTE_MS)
    expect(
      await sizes.rowsOf(
        customer,
        `select type, amount_ft, refunded_ft, document_kind as document from control.wallet_transactions
         where user_id = $1 and document_kind = 'modification' order by type`,
      ),
    ).toEqual([
      { type: 'refund', amount_ft: 1500n, refunded_ft: 0n, document: 'modification' },
      { type: 'server modification', amount_ft: -1500n, refunded_ft: 1500n, document: 'modification' },
    ])
    const notices = await sizes.rowsOf(
      customer,
      `select data from control.notifications where user_id = $1 and text = 'refund.size'`,
    )
    expect(notices).toEqual([{ data: { sid: serverId, name: 'S', amount: 1500 } }])
    const sent = await sizes.database.owner.query(
      `select topic, payload -> 'message' -> 'data' as data from control.outbox
       where topic <> 'browser-event' or payload -> 'message' ->> 'event' = 'balance.change' order by topic`,
    )
    expect(sent).toMatchObject([
      { topic: 'browser-event', data: { type: 'refund', change: 1500, balance: 5000 } },
      { topic: 'invoice-mail' },
      { topic: 'notice-tell' },
      { topic: 'provision-server' },
    ])
    const acts = `select detail ->> 'because' as because, (detail ->> 'amountFt')::int as ft, status from control.activities
      where user_id = $1 and type = 'server.size-refused'`
    expect(await sizes.rowsOf(customer, acts)).toEqual([{ because: 'refused', ft: 1500, status: 'failure' }])
    const given = `select c.cause_type as cause, c.given_back_ft as ft, c.net_ft + c.vat_ft as split from control.sale_corrections c
      join control.modifications m on m.id::text = c.sale_id and c.sale_kind = 'modification' where m.user_id = $1`
    expect(await sizes.rowsOf(customer, given)).toEqual([{ cause: 'rejected-resize', ft: 1500n, split: 1500n }])
    const papers = `select kind, gross_ft from control.invoices where user_id = $1 and document_kind = 'modification' order by id`
    expect(await sizes.rowsOf(customer, papers)).toEqual([
      { kind: 'invoice', gross_ft: 1500n },
      { kind: 'storno', gross_ft: -1500n },
    ])
    const [line] = await sizes.database.owner.query<{ id: string }>(
      `select id from control.wallet_transactions where user_id = $1 and type = 'refund'`,
      [userId],
    )
    const explained = await explainLine(sizes.database.db, { userId, locale: 'en', transactionId: line?.id ?? '' })
    expect(explained).toMatchObject({
      cause: 'given-back',
      formula: [{ kind: 'flat', amountFt: 1500 }],
      size: { memoryMiB: 2048 },
      newSize: { memoryMiB: 1024 },
      server: { id: serverId },
    })
  })

  it('T51: bonus is refunded as bonus and money as money', async () => {
    const customer = await sizes.customerWith(5000n, 700n)
    const before = await balanceOf(sizes.database.db, customer.userId)
    expect(before).toEqual({ money: 5000n, held: 0n, available: 5700n })
    await sizes.refused(customer)
    expect(await balanceOf(sizes.database.db, customer.userId)).toEqual({ money: 4200n, held: 0n, available: 4200n })
    await sizes.lookedAt(START_MS + HOUR_MS)
    expect(await balanceOf(sizes.database.db, customer.userId)).toEqual(before)
  })

  it('T51: nothing is refunded while the update is being repeated, and never once it was accepted', async () => {
    const customer = await sizes.customerWith(5000n)
    await sizes.refused(customer)
    await sizes.asked(customer, START_MS + MINUTE_MS)
    expect(await sizes.lookedAt(START_MS + MINUTE_MS)).toBe(0)
    await sizes.node.says(customer.serverId, START_MS + MINUTE_MS, 'done')
    expect(await sizes.lookedAt(START_MS + HOUR_MS)).toBe(0)
    // It loses its record, and refuses what it is told then.
    await sizes.database.owner.query(
      `update control.server_state set state = 'unknown', observed_generation = 0 where server_id = $1`,
      [customer.serverId],
    )
    await sizes.asked(customer, START_MS + 2 * HOUR_MS)
    await sizes.node.says(customer.serverId, START_MS + 2 * HOUR_MS, { refusal: 'INTERNAL' })
    expect(await sizes.lookedAt(START_MS + 3 * HOUR_MS)).toBe(0)
    expect([await sizes.moneyOf(customer), await sizes.serverOf(customer)]).toMatchObject([3500n, IN_LARGE])
  })

  it('T51: a size that the previous release saw accepted stays', async () => {
    const customer = await sizes.customerWith(5000n)
    await sizes.refused(customer)
    const seen = `update control.server_state set observed_generation = $2 where server_id = $1`
    await sizes.database.owner.query(seen, [customer.serverId, 2])
    expect(await sizes.lookedAt(START_MS + MINUTE_MS)).toBe(0)
    await sizes.database.owner.query(seen, [customer.serverId, 0])
    expect(await sizes.lookedAt(START_MS + HOUR_MS)).toBe(0)
    expect(await sizes.moneyOf(customer)).toBe(3500n)
  })

  it('T51: a refund that the previous release recorded gets its document once, under the stored word', async () => {
    const customer = await sizes.customerWith(5000n)
    await sizes.refused(customer)
    const [{ id = '' } = {}] = await sizes.database.owner.query<{ id: string }>(
      'select id from control.modifications where server_id = $1',
      [customer.serverId],
    )
    await sizes.database.owner.query(
      `insert into control.sale_corrections
         (id, sale_kind, sale_id, cause_type, cause_id, given_back_ft, net_ft, vat_ft, created_at, reason, request_id)
       values (gen_random_uuid(), 'modification', $1, 'untaken-size', $1, 1500, 1500, 0, now(), '{"en":"a","hu":"b","de":"c"}', 'r')`,
      [id],
    )
    const sale = { kind: 'modification', id } as const
    for (const _ of ['first', 'again']) {
      await sizes.database.db.transaction((tx) => documentReturns(tx, sizes.at(START_MS), sale))
    }
    const papers = `select correction_cause as cause, gross_ft from control.invoices
      where user_id = $1 and document_kind = 'modification' and kind <> 'invoice'`
    expect(await sizes.rowsOf(customer, papers)).toEqual([{ cause: `untaken-size:${id}`, gross_ft: -1500n }])
  })

  it('T51: a change of the previous release, without a generation, is left to staff as before', async () => {
    const customer = await sizes.customerWith(5000n)
    await sizes.refused(customer)
    await sizes.database.owner.query('update control.modifications set generation = null where server_id = $1', [
      customer.serverId,
    ])
    expect(await sizes.lookedAt(START_MS + HOUR_MS)).toBe(0)
    expect(await sizes.moneyOf(customer)).toBe(3500n)
  })
})

describe('T51: a size without a response of its node', () => {
  it('T51: it is refunded after exactly ten minutes, and a late response gives nobody the larger size for free', async () => {
    const customer = await sizes.customerWith(5000n)
    const { serverId } = customer
    await sizes.resized(customer, LARGE)
    await sizes.asked(customer)
    const [late] = await sizes.database.owner.query<{ id: string }>(
      'select id from control.commands where server_id = $1',
      [serverId],
    )
    expect(await sizes.lookedAt(LATER_MS - 1)).toBe(0)
    expect(await sizes.moneyOf(customer)).toBe(3500n)
    expect(await sizes.lookedAt(LATER_MS)).toBe(1)
    expect([await sizes.moneyOf(customer), await sizes.serverOf(customer)]).toMatchObject([5000n, IN_SMALL])
    // Nothing waits for the old question: the node is told the smaller size, and what it says of the larger one is past.
    await sizes.asked(customer, LATER_MS + 1)
    await sizes.database.owner.query('update control.server_state set observed_generation = 2 where server_id = $1', [
      serverId,
    ])
    const states = await sizes.database.owner.query('select state from control.commands where id = $1', [late?.id])
    expect(states).toEqual([{ state: 'superseded' }])
    expect(await sizes.lookedAt(LATER_MS + HOUR_MS)).toBe(0)
    const [newest] = await sizes.database.owner.query<Record<string, unknown>>(
      `select generation, (body -> 'spec' -> 'limits' ->> 'memoryMiB')::int as memory from control.commands
       where server_id = $1 and state = 'pending'`,
      [serverId],
    )
    expect(newest).toEqual({ generation: 3, memory: 1024 })
    expect(await sizes.moneyOf(customer)).toBe(5000n)
  })

  it('T51: a node that is away, has just returned, or owes its backlog is waited for', async () => {
    const customer = await sizes.customerWith(5000n)
    await sizes.resized(customer, LARGE)
    await sizes.asked(customer)
    // Away: nobody beats.
    expect(await revertRejected(sizes.at(START_MS + HOUR_MS))).toEqual({ reversed: 0, failed: 0 })
    const backMs = START_MS + HOUR_MS
    await sizes.connectedAt(backMs)
    expect(await sizes.lookedAt(backMs + TAKE_WITHIN_MS - 1)).toBe(0)
    await sizes.database.owner.query('update control.agent_sessions set behind_session = session_id')
    expect(await sizes.lookedAt(backMs + TAKE_WITHIN_MS)).toBe(0)
    await sizes.database.owner.query('update control.agent_sessions set behind_session = null')
    expect(await sizes.serverOf(customer)).toMatchObject(IN_LARGE)
    expect(await sizes.lookedAt(backMs + TAKE_WITHIN_MS)).toBe(1)
    expect([await sizes.moneyOf(customer), await sizes.serverOf(customer)]).toMatchObject([5000n, IN_SMALL])
  })

  it.each(['offline', 'installing'] as const)(
    'T51: the size of a server that is %s is accepted in time, and stays',
    async (state) => {
      const customer = await sizes.customerWith(5000n)
      const { serverId } = customer
      await sizes.node.sees(serverId, state)
      await sizes.resized(customer, LARGE)
      if (state === 'installing') {
        expect(await sizes.node.askedAt(serverId, START_MS)).toEqual({ do: 'nothing', because: 'working' })
        expect(await sizes.lookedAt(START_MS + 2 * HOUR_MS)).toBe(0)
        await sizes.node.sees(serverId, 'offline')
      }
      await sizes.asked(customer, START_MS + 2 * HOUR_MS)
      expect(await sizes.lookedAt(START_MS + 2 * HOUR_MS)).toBe(0)
      await sizes.node.says(serverId, START_MS + 2 * HOUR_MS, 'done')
      expect(await sizes.lookedAt(START_MS + DAY_MS)).toBe(0)
      expect([await sizes.moneyOf(customer), await sizes.serverOf(customer)]).toMatchObject([3500n, IN_LARGE])
    },
  )

  it('T51: it is refunded even if the node still owes a response to an earlier update', async () => {
    const customer = await sizes.customerWith(6500n)
    expect(await renewServer(sizes.at(START_MS), renewCommand(customer))).toMatchObject({ ok: true })
    await sizes.asked(customer)
    await sizes.resized(customer, LARGE, START_MS + MINUTE_MS)
    expect(await sizes.lookedAt(LATER_MS)).toBe(0)
    expect(await sizes.lookedAt(LATER_MS + MINUTE_MS)).toBe(1)
    expect([await sizes.moneyOf(customer), await sizes.serverOf(customer)]).toMatchObject([5000n, IN_SMALL])
  })
})
