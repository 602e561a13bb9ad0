import { describe, expect, it } from 'vitest'
import { KEPT_AFTER_EXPIRY_MS } from '#domain/billing/lifetime.ts'
import { forints, sum, type Money } from '#domain/billing/money.ts'
import { BILLING_MONTH_MS, DAY_MS } from '#domain/billing/period.ts'
import {
  decideAutoRenewal,
  decideRenewal,
  freeEndMs,
  renewalKey,
  type RenewalRequest,
} from '#domain/billing/renewal.ts'

const EXPIRY = Date.UTC(2027, 2, 28, 1)
const TOLD = EXPIRY + 10 * DAY_MS
const request = (changes: Partial<RenewalRequest> = {}): RenewalRequest => ({
  server: { id: 's1', isTest: false, expiresAtMs: EXPIRY, monthly: forints(990n) },
  months: 1,
  nowMs: EXPIRY - DAY_MS,
  available: forints(100_000n),
  discountPercent: 0,
  ...changes,
})

describe('renewal', () => {
  it.each([
    ['before the expiry', -10 * DAY_MS],
    ['at the expiry', 0],
    ['in the last millisecond of the 72 hours', KEPT_AFTER_EXPIRY_MS - 1],
  ])('adds to the old expiry when it is paid %s', (_, offsetMs) => {
    expect(decideRenewal(request({ months: 6, nowMs: EXPIRY + offsetMs }))).toMatchObject({
      ok: true,
      key: `renew:s1:${EXPIRY}`,
      period: { startMs: EXPIRY, endMs: EXPIRY + 6 * BILLING_MONTH_MS },
      total: forints(5940n),
    })
  })

  it('takes the premium discount off once and spreads what is paid over the months', () => {
    const renewal = decideRenewal(request({ months: 3, discountPercent: 5 }))
    if (!renewal.ok) throw new Error(renewal.code)
    expect(renewal).toMatchObject({ subtotal: forints(2970n), discount: forints(149n), total: forints(2821n) })
    const paid = renewal.spans.map((span) => span.paid)
    expect(paid.map(({ minor }) => minor)).toEqual([941n, 940n, 940n])
    expect(sum(paid, 'HUF')).toEqual(renewal.total)
    expect(renewal.spans.at(-1)?.endMs).toBe(renewal.period.endMs)
  })

  it.each([
    ['MONTHS_INVALID', { months: 0 }],
    ['MONTHS_INVALID', { months: 7 }],
    ['MONTHS_INVALID', { months: '1' }],
    ['TEST_SERVER', { server: { ...request().server, isTest: true } }],
    ['SERVER_DELETED', { nowMs: EXPIRY + KEPT_AFTER_EXPIRY_MS }],
    ['SERVER_DELETED', { nowMs: TOLD + KEPT_AFTER_EXPIRY_MS, server: { ...request().server, toldAtMs: TOLD } }],
    ['NOT_RENEWABLE', { server: { ...request().server, monthly: forints(0n) } }],
    ['NOT_RENEWABLE', { discountPercent: 100 }],
  ])('refuses with %s', (code, changes) => {
    expect(decideRenewal(request(changes))).toEqual({ ok: false, code })
  })

  it.each([
    ['for 72 hours after its owner was told of the expiry', TOLD, TOLD + KEPT_AFTER_EXPIRY_MS - 1],
    ['as long as nobody was told of it', null, EXPIRY + 100 * DAY_MS],
  ])('is possible %s', (_name, toldAtMs, nowMs) => {
    expect(decideRenewal(request({ nowMs, server: { ...request().server, toldAtMs } }))).toMatchObject({ ok: true })
  })

  it('says what is missing', () => {
    expect(decideRenewal(request({ available: forints(989n) }))).toEqual({
      ok: false,
      code: 'INSUFFICIENT_BALANCE',
      missing: forints(1n),
    })
    expect(decideRenewal(request({ available: forints(990n) }))).toMatchObject({ ok: true })
  })
})

describe('automatic renewal', () => {
  const auto = (changes: Partial<RenewalRequest> = {}, promised?: Money) =>
    decideAutoRenewal({ isOn: true, ...request(changes), ...(promised ? { promised } : {}) })

  it('does nothing where it is off, too early, or past all help', () => {
    expect(decideAutoRenewal({ ...request(), isOn: false })).toEqual({ act: 'nothing', why: 'off' })
    expect(auto({ nowMs: EXPIRY - DAY_MS - 1 })).toEqual({ act: 'nothing', why: 'not-yet', isPaid: true })
    expect(auto({ nowMs: EXPIRY + KEPT_AFTER_EXPIRY_MS })).toEqual({ act: 'nothing', why: 'not-renewable' })
    expect(auto({ server: { ...request().server, isTest: true } })).toEqual({ act: 'nothing', why: 'not-renewable' })
  })

  it.each([
    ['the price is there', 990n, 0n, true],
    ['one forint lacks', 989n, 0n, false],
    ['others leave the price', 1990n, 1000n, true],
    ['others take of it before', 1989n, 1000n, false],
    ['others take more than there is', 990n, 5000n, false],
  ])('before its day: %s', (_name, available, promised, isPaid) => {
    const decided = auto({ nowMs: EXPIRY - 7 * DAY_MS, available: forints(available) }, forints(promised))
    expect(decided).toEqual({ act: 'nothing', why: 'not-yet', isPaid })
  })

  it('is not paid for where there is nothing to renew: its owner is reminded', () => {
    const free = { server: { ...request().server, monthly: forints(0n) } }
    expect(auto({ ...free, nowMs: EXPIRY - 7 * DAY_MS })).toEqual({ act: 'nothing', why: 'not-yet', isPaid: false })
    expect(auto(free)).toEqual({ act: 'nothing', why: 'not-renewable' })
  })

  it('renews from a day before the expiry until the server is deleted', () => {
    expect(auto()).toMatchObject({ act: 'renew', renewal: { key: renewalKey('s1', EXPIRY) } })
    expect(auto({ nowMs: EXPIRY + KEPT_AFTER_EXPIRY_MS - 1 })).toMatchObject({ act: 'renew' })
  })

  it('tells the customer once for each period what is missing', () => {
    expect(auto({ available: forints(0n) })).toEqual({
      act: 'tell',
      missing: forints(990n),
      key: `renew-missing:s1:${EXPIRY}`,
    })
  })
})

describe('a paid time that is cut short', () => {
  const month = BILLING_MONTH_MS
  it.each([
    ['no renewal stands', 5000, [], 5000],
    ['it ends where a paid period begins', 5000, [5000], 4999],
    ['it ends whole months before a paid period begins', 5000, [5000 + 3 * month], 4999],
    ['the moment before is taken as well', 5000, [5000 + month, 4999 + 2 * month], 4998],
    ['a paid period began before it', 5000 + month, [5000], 5000 + month],
    ['no renewal would meet a paid period', 5000, [5000 + month / 2, 4999], 5000],
  ])('%s: no renewal after it has the beginning of one that is paid', (_name, wantedMs, standing, endMs) => {
    expect(freeEndMs(wantedMs, standing)).toBe(endMs)
  })
})
