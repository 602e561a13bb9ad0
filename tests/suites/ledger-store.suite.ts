import { beforeEach, describe, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { AssertionFailure } from '#domain/kernel/assert.ts'
import { clearingOf, houseAccount, walletOf } from '../../control-plane/money/ledger/chart-of-accounts.ts'
import type { LedgerStore } from '../../control-plane/money/ledger/ledger-store.ts'
import { openLedger, type Ledger } from '../../control-plane/money/ledger/ledger.ts'
import { bonusGranted, corrected, topUpSettled } from '../../control-plane/money/ledger/postings.ts'
import { systemIds } from '#platform/ids.ts'
import { orderCaptured, orderHeld } from '../factories/held-orders.ts'

const AT = Date.UTC(2026, 5, 1)
const origin = (atMs = AT) => ({ id: systemIds.next(), atMs, actor: 'system', requestId: 'test' })

type Books = { ledger: Ledger; user: string }

async function payIn({ ledger, user }: Books, amountFt: bigint, payment = systemIds.next()) {
  const details = {
    id: payment,
    provider: 'sandbox',
    providerPaymentId: payment,
    userId: user,
    amount: forints(amountFt),
  }
  return ledger.post(topUpSettled(origin(), details))
}

async function grant({ ledger, user }: Books, amountFt: bigint) {
  const id = systemIds.next()
  return ledger.post(bonusGranted(origin(), { id, userId: user, amount: forints(amountFt), reason: 'Welcome' }))
}

const orderOf = ({ user }: Books, totalFt: bigint, orderId = systemIds.next()) => ({
  orderId,
  userId: user,
  total: forints(totalFt),
  product: 'Minecraft',
})

async function hold(books: Books, totalFt: bigint, orderId = systemIds.next()) {
  const order = orderOf(books, totalFt, orderId)
  const placed = await books.ledger.placeHold(orderHeld(origin(), { ...order, expiresAtMs: AT + 60_000 }))
  return { order, placed, holdId: placed.ok ? placed.id : '' }
}

const balances = async ({ ledger, user }: Books) => {
  const { money, bonus, held, available } = await ledger.userBalance(user, 'HUF')
  return { money: money.minor, bonus: bonus.minor, held: held.minor, available: available.minor }
}

/** The contract of a ledger store, on any storage. `open` returns a store with new users. */
export function ledgerStoreSuite(name: string, open: () => LedgerStore): void {
  describe(`ledger store: ${name}`, () => {
    let books: Books
    beforeEach(() => {
      books = { ledger: openLedger(open()), user: systemIds.next() }
    })
    postingCases(() => books)
    holdCases(() => books)
    resolutionCases(() => books)
  })
}

function postingCases(at: () => Books): void {
  it('starts every account at zero', async () => {
    expect(await balances(at())).toEqual({ money: 0n, bonus: 0n, held: 0n, available: 0n })
    expect(await at().ledger.account(walletOf(at().user), 'HUF')).toEqual({ balance: 0n, held: 0n, version: 0n })
  })

  it('posts a top-up to both of its accounts', async () => {
    const before = await at().ledger.account(clearingOf('sandbox'), 'HUF')
    expect(await payIn(at(), 5000n)).toMatchObject({ ok: true, replayed: false })
    expect(await balances(at())).toEqual({ money: 5000n, bonus: 0n, held: 0n, available: 5000n })
    const after = await at().ledger.account(clearingOf('sandbox'), 'HUF')
    expect(after.balance).toBe(before.balance - 5000n)
    expect(after.version).toBe(before.version + 1n)
  })

  it('I4: answers a repeated key with what was stored first', async () => {
    const payment = systemIds.next()
    const first = await payIn(at(), 5000n, payment)
    const again = await payIn(at(), 5000n, payment)
    expect(again).toEqual({ ...first, replayed: true })
    expect(await balances(at())).toMatchObject({ money: 5000n })
  })

  it('I5: refuses a repeated key with another payload and writes nothing', async () => {
    const payment = systemIds.next()
    await payIn(at(), 5000n, payment)
    expect(await payIn(at(), 5001n, payment)).toEqual({ ok: false, code: 'IDEMPOTENCY_MISMATCH' })
    expect(await balances(at())).toMatchObject({ money: 5000n })
  })

  it('T21: refuses to go below zero and names the missing amount', async () => {
    await payIn(at(), 500n)
    const correction = { id: systemIds.next(), userId: at().user, amount: forints(-990n), reason: 'Chargeback' }
    expect(await at().ledger.post(corrected(origin(), correction))).toEqual({
      ok: false,
      code: 'INSUFFICIENT_BALANCE',
      missing: forints(490n),
    })
    expect(await balances(at())).toMatchObject({ money: 500n })
    // A refusal stores nothing, so the same key succeeds once there is money.
    await payIn(at(), 490n)
    expect(await at().ledger.post(corrected(origin(), correction))).toMatchObject({ ok: true, replayed: false })
    expect(await balances(at())).toMatchObject({ money: 0n })
  })

  it.each([
    ['one entry', [{ account: walletOf('u'), amount: forints(1n) }]],
    [
      'a sum that is not zero',
      [
        { account: walletOf('u'), amount: forints(2n) },
        { account: clearingOf('x'), amount: forints(-1n) },
      ],
    ],
    [
      'an entry of zero',
      [
        { account: walletOf('u'), amount: forints(0n) },
        { account: clearingOf('x'), amount: forints(0n) },
      ],
    ],
    [
      'an account twice',
      [
        { account: walletOf('u'), amount: forints(1n) },
        { account: walletOf('u'), amount: forints(-1n) },
      ],
    ],
  ])('asserts against %s', async (_name, entries) => {
    const details = { id: systemIds.next(), userId: at().user, amount: forints(1n), reason: 'Gift' }
    await expect(at().ledger.post({ ...bonusGranted(origin(), details), entries })).rejects.toBeInstanceOf(
      AssertionFailure,
    )
  })

  it('I15: asserts that every movement has a reason', async () => {
    const details = { id: systemIds.next(), userId: at().user, amount: forints(1n), reason: ' ' }
    await expect(at().ledger.post(bonusGranted(origin(), details))).rejects.toBeInstanceOf(AssertionFailure)
  })
}

function holdCases(at: () => Books): void {
  it('reserves money without moving it', async () => {
    await payIn(at(), 5000n)
    const { placed } = await hold(at(), 990n)
    expect(placed).toMatchObject({ ok: true, replayed: false })
    expect(await balances(at())).toEqual({ money: 5000n, bonus: 0n, held: 990n, available: 4010n })
  })

  it('I14: takes the bonus first', async () => {
    await payIn(at(), 800n)
    await grant(at(), 300n)
    const { holdId, order } = await hold(at(), 990n)
    expect(await at().ledger.hold(holdId)).toMatchObject({ fromBonus: forints(300n), fromWallet: forints(690n) })
    await at().ledger.capture(orderCaptured(origin(), { ...order, rateBasisPoints: 2700n, holdId }))
    expect(await balances(at())).toEqual({ money: 110n, bonus: 0n, held: 0n, available: 110n })
  })

  it('I14: returns a released hold to its buckets', async () => {
    await payIn(at(), 800n)
    await grant(at(), 300n)
    const { holdId } = await hold(at(), 990n)
    await at().ledger.release({ holdId, state: 'released', atMs: AT })
    expect(await balances(at())).toEqual({ money: 800n, bonus: 300n, held: 0n, available: 1100n })
  })

  it('refuses a hold above the balance and names the missing amount', async () => {
    await payIn(at(), 400n)
    await grant(at(), 100n)
    const { placed } = await hold(at(), 990n)
    expect(placed).toEqual({ ok: false, code: 'INSUFFICIENT_BALANCE', missing: forints(490n) })
    expect(await balances(at())).toMatchObject({ held: 0n, available: 500n })
  })

  it('does not spend held money twice', async () => {
    await payIn(at(), 1000n)
    await hold(at(), 990n)
    expect((await hold(at(), 11n)).placed).toMatchObject({ ok: false, missing: forints(1n) })
    const correction = { id: systemIds.next(), userId: at().user, amount: forints(-11n), reason: 'Chargeback' }
    expect(await at().ledger.post(corrected(origin(), correction))).toMatchObject({ missing: forints(1n) })
  })

  it('I4, I5: replays a hold by its key and refuses another payload', async () => {
    await payIn(at(), 5000n)
    const first = await hold(at(), 990n, systemIds.next())
    const again = await hold(at(), 990n, first.order.orderId)
    expect(again.placed).toEqual({ ok: true, id: first.holdId, replayed: true })
    expect((await hold(at(), 991n, first.order.orderId)).placed).toEqual({ ok: false, code: 'IDEMPOTENCY_MISMATCH' })
    expect(await balances(at())).toMatchObject({ held: 990n })
  })
}

function resolutionCases(at: () => Books): void {
  it('captures into revenue and tax with nothing left over', async () => {
    await payIn(at(), 5000n)
    const { ledger } = at()
    const [revenue, tax] = [houseAccount('revenue'), houseAccount('vat_payable')]
    const before = [await ledger.account(revenue, 'HUF'), await ledger.account(tax, 'HUF')]
    const { order, holdId } = await hold(at(), 990n)
    expect(await ledger.capture(orderCaptured(origin(), { ...order, rateBasisPoints: 2700n, holdId }))).toMatchObject({
      ok: true,
    })
    const after = [await ledger.account(revenue, 'HUF'), await ledger.account(tax, 'HUF')]
    expect(after.map((state, index) => state.balance - (before[index]?.balance ?? 0n))).toEqual([780n, 210n])
    expect(await balances(at())).toEqual({ money: 4010n, bonus: 0n, held: 0n, available: 4010n })
  })

  it('frees what a smaller capture leaves', async () => {
    await payIn(at(), 1000n)
    const { order, holdId } = await hold(at(), 990n)
    const smaller = orderCaptured(origin(), { ...order, rateBasisPoints: 2700n, total: forints(500n), holdId })
    expect(await at().ledger.capture(smaller)).toMatchObject({ ok: true })
    expect(await balances(at())).toEqual({ money: 500n, bonus: 0n, held: 0n, available: 500n })
  })

  it('I7: resolves a hold once', async () => {
    await payIn(at(), 1000n)
    const { ledger } = at()
    const { order, holdId } = await hold(at(), 990n)
    const capture = orderCaptured(origin(), { ...order, rateBasisPoints: 2700n, holdId })
    const first = await ledger.capture(capture)
    expect(await ledger.capture({ ...capture, id: systemIds.next() })).toEqual({ ...first, replayed: true })
    expect(await ledger.release({ holdId, state: 'released', atMs: AT })).toEqual({ ok: false, code: 'HOLD_CAPTURED' })
    expect(await ledger.release({ holdId, state: 'expired', atMs: AT + 120_000 })).toMatchObject({
      code: 'HOLD_CAPTURED',
    })
    expect(await ledger.capture({ ...capture, key: 'order:another' })).toEqual({ ok: false, code: 'HOLD_CAPTURED' })
    expect(await balances(at())).toMatchObject({ money: 10n, held: 0n })
  })

  it('I7: a released hold cannot be captured', async () => {
    await payIn(at(), 1000n)
    const { ledger } = at()
    const { order, holdId } = await hold(at(), 990n)
    expect(await ledger.release({ holdId, state: 'released', atMs: AT })).toEqual({ ok: true, replayed: false })
    expect(await ledger.release({ holdId, state: 'released', atMs: AT })).toEqual({ ok: true, replayed: true })
    expect(await ledger.capture(orderCaptured(origin(), { ...order, rateBasisPoints: 2700n, holdId }))).toEqual({
      ok: false,
      code: 'HOLD_RELEASED',
    })
    expect(await balances(at())).toEqual({ money: 1000n, bonus: 0n, held: 0n, available: 1000n })
  })

  it('expires a hold only after its time', async () => {
    await payIn(at(), 1000n)
    const { ledger } = at()
    const { holdId } = await hold(at(), 990n)
    expect(await ledger.dueHolds(AT + 59_999, 1000)).not.toContain(holdId)
    expect(await ledger.release({ holdId, state: 'expired', atMs: AT + 59_999 })).toEqual({
      ok: false,
      code: 'HOLD_NOT_DUE',
    })
    expect(await ledger.dueHolds(AT + 60_000, 1000)).toContain(holdId)
    expect(await ledger.release({ holdId, state: 'expired', atMs: AT + 60_000 })).toEqual({ ok: true, replayed: false })
    expect(await ledger.dueHolds(AT + 60_000, 1000)).not.toContain(holdId)
    expect(await balances(at())).toMatchObject({ held: 0n, available: 1000n })
  })
}
