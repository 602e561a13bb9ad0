import { describe, expect, it } from 'vitest'
import type { ServiceRow } from '#contracts/cms-api/rows.ts'
import { priceOrder } from '../../../../../control-plane/money/orders/price-order.ts'
import type { Sql } from '#platform/postgres/database.ts'

const ID = '01a1fbf4-f950-70ac-a31a-dc301d8641a5'
const text = { en: 'Bot', hu: 'Bot', de: 'Bot' }
const range = (minimum: number, maximum: number, step: number) => ({ minimum, maximum, step, unitPriceFt: 100 })

const service = (changes: Partial<ServiceRow>): ServiceRow => ({
  id: ID,
  slug: 'bot',
  name: text,
  description: text,
  category: 'bot',
  server_template_id: ID,
  machine_ids: [],
  banner: null,
  icon: null,
  orderable: true,
  highlighted: false,
  position: 1,
  points_count: 11,
  minimum_point: 1,
  price_per_point_ft: 25,
  resources: {
    cpuPercent: range(100, 400, 100),
    ramMiB: range(1024, 11_264, 1024),
    storageMiB: range(1024, 11_264, 1024),
  },
  operating_systems: [],
  starting_price_ft: null,
  ...changes,
})

/** A catalog of one service, before people without contact data. */
const catalogOf = (row: ServiceRow): Sql => ({
  query: <Row extends object>(text: string) =>
    Promise.resolve((text.includes('cms_api.services') ? [row] : []) as unknown as Row[]),
})

const NOBODY = { userId: ID, nowMs: 0, premiumPercent: 0, isOrder: false }
const size = { cpuPercent: 100, ramMiB: 1024, storageMiB: 1024 }
const price = (row: ServiceRow, resources: typeof size & { points?: number }) =>
  priceOrder(catalogOf(row), { serviceId: ID, months: 1, resources }, NOBODY)

describe('an order priced by points', () => {
  it.each([
    [1, size],
    [6, { cpuPercent: 200, ramMiB: 6144, storageMiB: 6144 }],
    [11, { cpuPercent: 400, ramMiB: 11_264, storageMiB: 11_264 }],
  ])('sells with %s points what they pay for', async (points, chosen) => {
    const priced = await price(service({}), { ...chosen, points })
    expect(priced.ok && priced.quote.total.minor).toBe(BigInt(points * 25))
    expect(priced).toMatchObject({ limits: { memoryMiB: chosen.ramMiB, storageMiB: chosen.storageMiB } })
  })

  it.each([
    ['more memory', { ...size, ramMiB: 2048, points: 1 }, { resource: 'ramMiB', reason: 'out-of-range' }],
    [
      'a huge processor',
      { ...size, cpuPercent: 1_000_000, points: 1 },
      { resource: 'cpuPercent', reason: 'out-of-range' },
    ],
    [
      'more than its share',
      { ...size, cpuPercent: 300, points: 6 },
      { resource: 'cpuPercent', reason: 'out-of-range' },
    ],
    ['an amount between steps', { ...size, ramMiB: 1500, points: 6 }, { resource: 'ramMiB', reason: 'off-step' }],
    ['no points', size, { resource: 'points', reason: 'out-of-range' }],
  ])('refuses %s', async (_what, resources, params) => {
    expect(await price(service({}), resources)).toEqual({ ok: false, code: 'INVALID_RESOURCES', params })
  })

  it('sells nothing where nobody said how large it may be', async () => {
    expect(await price(service({ resources: null }), { ...size, points: 1 })).toEqual({
      ok: false,
      code: 'NOT_ORDERABLE',
    })
  })

  it('sells one size where there is one number of points', async () => {
    const row = service({ points_count: 1 })
    expect(await price(row, { cpuPercent: 400, ramMiB: 11_264, storageMiB: 11_264, points: 1 })).toMatchObject({
      ok: true,
    })
  })
})
