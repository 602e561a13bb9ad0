import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { DAY_MS } from '#domain/billing/period.ts'
import {
  accountAfterSpin,
  buySpins,
  decideSpin,
  MAX_TOTAL_WEIGHT,
  oddsTable,
  PRIZE_TYPES,
  spinCount,
  wheelFault,
  type SpinAccount,
  type WheelPrize,
} from '#domain/prizes/wheel.ts'

const NOW = Date.UTC(2027, 2, 28, 1)
const prize = (changes: Partial<WheelPrize> = {}): WheelPrize => ({
  id: 'n',
  type: 'nothing',
  amount: 0,
  weight: 1,
  ...changes,
})
const account = (changes: Partial<SpinAccount> = {}): SpinAccount => ({
  userId: 'u',
  lastFreeSpinAtMs: NOW - DAY_MS,
  rerolls: 0,
  granted: 0,
  bought: 0,
  ...changes,
})
const ON = { nowMs: NOW, isEnabled: true }

describe('wheel', () => {
  it.each<[string | undefined, WheelPrize[]]>([
    [
      undefined,
      [prize(), prize({ id: 'm', type: 'money', amount: 500 }), prize({ id: 'c', type: 'coupon', amount: 20 })],
    ],
    ['NO_PRIZES', []],
    ['ID_TWICE', [prize(), prize()]],
    ['WEIGHT_INVALID', [prize({ weight: 0 })]],
    ['WEIGHT_INVALID', [prize({ weight: 1.5 })]],
    ['WEIGHT_INVALID', [prize({ weight: MAX_TOTAL_WEIGHT }), prize({ id: 'b' })]],
    ['AMOUNT_INVALID', [prize({ type: 'money', amount: 0 })]],
    ['AMOUNT_INVALID', [prize({ type: 'coupon', amount: 101 })]],
    ['AMOUNT_INVALID', [prize({ amount: 5 })]],
    ['ONLY_REROLLS', [prize({ type: 'reroll' }), prize({ id: 'z', weight: 0 })]],
  ])('is saved unless %s', (fault, prizes) => {
    expect(wheelFault(prizes)).toBe(fault)
  })

  it('shows three equal chances as 33.34, 33.33 and 33.33 %', () => {
    const thirds = ['a', 'b', 'c'].map((id) => prize({ id }))
    expect(oddsTable(thirds).map(({ basisPoints }) => basisPoints)).toEqual([3334, 3333, 3333])
    expect(() => oddsTable([])).toThrow(RangeError)
  })

  it('shows chances that add up to exactly 100 %, each less than 0.01 % off, and none for what cannot come', () => {
    const weights = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(weights, (each) => {
        const total = each.reduce((a, b) => a + b, 0)
        fc.pre(total > 0)
        const odds = oddsTable(each.map((weight, index) => prize({ id: String(index), weight })))
        expect(odds.reduce((sum, { basisPoints }) => sum + basisPoints, 0)).toBe(10_000)
        for (const [index, { basisPoints }] of odds.entries()) {
          const exact = ((each[index] ?? 0) * 10_000) / total
          expect(Math.abs(basisPoints - exact)).toBeLessThan(1)
          if (exact === 0) expect(basisPoints).toBe(0)
        }
      }),
    )
  })
})

describe('spin', () => {
  it.each<[string, Partial<SpinAccount>]>([
    ['reroll', { rerolls: 1, lastFreeSpinAtMs: undefined, granted: 1, bought: 1 }],
    ['weekly', { lastFreeSpinAtMs: undefined, granted: 1, bought: 1 }],
    ['weekly', { lastFreeSpinAtMs: NOW - 7 * DAY_MS }],
    ['granted', { granted: 1, bought: 1 }],
    ['bought', { bought: 1 }],
  ])('is taken from %s first', (source, changes) => {
    expect(decideSpin(account(changes), ON)).toMatchObject({ ok: true, source })
  })

  it('waits 7 x 24 h, also over summer time', () => {
    const lastFreeSpinAtMs = NOW - 7 * DAY_MS + 1
    expect(decideSpin(account({ lastFreeSpinAtMs }), ON)).toEqual({
      ok: false,
      code: 'NO_SPINS',
      nextFreeSpinAtMs: NOW + 1,
    })
    expect(decideSpin(account({ lastFreeSpinAtMs }), { ...ON, nowMs: NOW + 1 })).toMatchObject({
      source: 'weekly',
      key: `spin-weekly:u:${lastFreeSpinAtMs}`,
    })
  })

  it('is refused where the wheel is off', () => {
    expect(decideSpin(account({ bought: 1 }), { ...ON, isEnabled: false })).toEqual({
      ok: false,
      code: 'WHEEL_DISABLED',
    })
  })

  it('gives one more at once for a reroll', () => {
    const after = accountAfterSpin(account({ bought: 1 }), { source: 'bought', prize: { type: 'reroll' }, nowMs: NOW })
    expect(after).toEqual(account({ bought: 0, rerolls: 1 }))
    expect(decideSpin(after, ON)).toMatchObject({ source: 'reroll' })
  })

  it('takes exactly one, never below zero, and gives one free spin in seven days whatever is won', () => {
    const spins = fc.array(fc.record({ type: fc.constantFrom(...PRIZE_TYPES), wait: fc.nat({ max: 2 * DAY_MS }) }), {
      maxLength: 40,
    })
    fc.assert(
      fc.property(spins, fc.nat({ max: 3 }), (each, bought) => {
        let own = account({ bought, lastFreeSpinAtMs: undefined })
        let nowMs = NOW
        const free: number[] = []
        for (const { type, wait } of each) {
          nowMs += wait
          const before = spinCount(own, nowMs)
          const decided = decideSpin(own, { nowMs, isEnabled: true })
          expect(decided.ok).toBe(before > 0)
          if (!decided.ok) continue
          if (decided.source === 'weekly') free.push(nowMs)
          own = accountAfterSpin(own, { source: decided.source, prize: { type }, nowMs })
          expect(spinCount(own, nowMs)).toBe(before - 1 + (type === 'reroll' ? 1 : 0))
          expect(Math.min(own.rerolls, own.granted, own.bought)).toBeGreaterThanOrEqual(0)
        }
        for (const [index, at] of free.entries()) {
          expect(at - (free[index - 1] ?? -Infinity)).toBeGreaterThanOrEqual(7 * DAY_MS)
        }
      }),
    )
  })
})

describe('buying spins', () => {
  const request = {
    count: 3 as unknown,
    price: forints(250n),
    country: 'DE' as string | undefined,
    setting: { isOn: true, offInCountries: ['HU'] },
    available: forints(1000n),
  }

  it('costs the price of each', () => {
    expect(buySpins(request)).toEqual({ ok: true, count: 3, charge: forints(750n) })
  })

  it.each([0, -1, 101, 1.5, Number.NaN, Infinity, '3', '1e1', '٣', [3], {}, null])('refuses the count %j', (count) => {
    expect(buySpins({ ...request, count })).toEqual({ ok: false, code: 'SPIN_COUNT_INVALID' })
  })

  it.each([{ country: 'HU' }, { country: undefined }, { setting: { isOn: false, offInCountries: [] } }])(
    'is off with %j',
    (changes) => {
      expect(buySpins({ ...request, ...changes })).toEqual({ ok: false, code: 'SPIN_BUYING_OFF' })
    },
  )

  it('says what is missing', () => {
    expect(buySpins({ ...request, available: forints(700n) })).toEqual({
      ok: false,
      code: 'INSUFFICIENT_BALANCE',
      missing: forints(50n),
    })
  })
})
