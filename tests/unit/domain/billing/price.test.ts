import { describe, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { quote, type Offer, type QuoteRequest } from '#domain/billing/price.ts'

const PACKAGE: Offer = { kind: 'package', pricePerMonth: forints(990n) }
const RESOURCES: Offer = {
  kind: 'resources',
  options: [
    { key: 'cpuPercent', min: 50, max: 400, step: 50, unitPrice: forints(200n) },
    { key: 'ramMiB', min: 1024, max: 8192, step: 1024, unitPrice: forints(300n) },
  ],
}
const POINTS: Offer = { kind: 'points', minPoints: 10, maxPoints: 100, pricePerPoint: forints(25n) }

const request = (changes: Partial<QuoteRequest>): QuoteRequest => ({
  offer: PACKAGE,
  months: 1,
  chosen: {},
  currency: 'HUF',
  ...changes,
})

describe('quote', () => {
  it('prices a package for one month with the tax split once', () => {
    expect(quote(request({}))).toMatchObject({
      ok: true,
      pricePerMonth: forints(990n),
      total: forints(990n),
    })
  })

  it('splits the tax of the total, not of each month', () => {
    // Three months by 580: 3 x 457 would be 1371, but 1740 / 1.27 rounds to 1370.
    expect(quote(request({ offer: { kind: 'package', pricePerMonth: forints(580n) }, months: 3 }))).toMatchObject({
      total: forints(1740n),
    })
  })

  it('prices single resources', () => {
    const priced = quote(request({ offer: RESOURCES, chosen: { cpuPercent: 100, ramMiB: 2048 }, months: 2 }))
    // Two steps of processor and two of memory: 2 x 200 + 2 x 300.
    expect(priced).toMatchObject({ pricePerMonth: forints(1000n), total: forints(2000n) })
  })

  it('rounds the price of a quantity that is no whole number of steps once', () => {
    const options = [{ key: 'ramMiB', min: 500, max: 4000, step: 1000, unitPrice: forints(101n) }]
    expect(quote(request({ offer: { kind: 'resources', options }, chosen: { ramMiB: 1500 } }))).toMatchObject({
      total: forints(152n),
    })
  })

  it('prices points', () => {
    expect(quote(request({ offer: POINTS, chosen: { points: 12 } }))).toMatchObject({ total: forints(300n) })
  })

  it.each([0, 7, 1.5, '1', null])('refuses %s months', (months) => {
    expect(quote(request({ months }))).toEqual({ ok: false, code: 'MONTHS_INVALID' })
  })

  it.each([
    [{ cpuPercent: 100 }, 'ramMiB', 'missing'],
    [{ cpuPercent: 100, ramMiB: 2048, price: 1 }, 'price', 'unknown'],
    [{ cpuPercent: 25, ramMiB: 2048 }, 'cpuPercent', 'out-of-range'],
    [{ cpuPercent: 450, ramMiB: 2048 }, 'cpuPercent', 'out-of-range'],
    [{ cpuPercent: -100, ramMiB: 2048 }, 'cpuPercent', 'out-of-range'],
    [{ cpuPercent: 100.5, ramMiB: 2048 }, 'cpuPercent', 'out-of-range'],
    [{ cpuPercent: Number.NaN, ramMiB: 2048 }, 'cpuPercent', 'out-of-range'],
    [{ cpuPercent: 75, ramMiB: 2048 }, 'cpuPercent', 'off-step'],
  ])('refuses %j', (chosen, resource, reason) => {
    expect(quote(request({ offer: RESOURCES, chosen: chosen as Record<string, number> }))).toEqual({
      ok: false,
      code: 'INVALID_RESOURCES',
      params: { resource, reason },
    })
  })

  it('does not read inherited keys as choices', () => {
    const chosen = Object.create({ points: 12 }) as Record<string, number>
    expect(quote(request({ offer: POINTS, chosen }))).toMatchObject({ ok: false, code: 'INVALID_RESOURCES' })
  })
})
