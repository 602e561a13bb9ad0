import { describe, expect, it } from 'vitest'
import type { PackageRow, ServiceRow } from '#contracts/cms-api/rows.ts'
import type { QuoteRequest } from '#contracts/http/order.ts'
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

/** A catalog of one service and at most one package, before people without contact data. */
const catalogOf = (row: ServiceRow, found?: PackageRow): Sql => ({
  query: <Row extends object>(text: string) => {
    const packages = text.includes('cms_api.packages') && found !== undefined ? [found] : []
    return Promise.resolve((text.includes('cms_api.services') ? [row] : packages) as unknown as Row[])
  },
})

const NOBODY = { userId: ID, nowMs: 0, premiumPercent: 0, isOrder: false }
const size = { cpuPercent: 100, ramMiB: 1024, storageMiB: 1024 }
const price = (row: ServiceRow, resources: typeof size & { points?: number }) =>
  priceOrder(catalogOf(row), { serviceId: ID, months: 1, resources }, NOBODY)

describe('an order of a package', () => {
  const OTHER = '01a1fbf4-f950-70ac-a31a-dc301d8641a6'
  const PACKAGE = '01a1fbf4-f950-70ac-a31a-dc301d8641a7'
  const found = (changes: Partial<PackageRow> = {}): PackageRow => ({
    id: PACKAGE,
    service_id: ID,
    name: text,
    description: text,
    price_per_month_ft: 790,
    cpu_percent: 100,
    memory_mib: 1024,
    storage_mib: 2048,
    orderable: true,
    highlighted: false,
    ...changes,
  })
  const ordered = (row: PackageRow | undefined, more: Partial<QuoteRequest> = {}) =>
    priceOrder(catalogOf(service({}), row), { serviceId: ID, packageId: PACKAGE, months: 1, ...more }, NOBODY)

  it('is priced and sized by the package', async () => {
    const priced = await ordered(found())
    expect(priced).toMatchObject({ ok: true, limits: { cpuPercent: 100, memoryMiB: 1024, storageMiB: 2048 } })
    expect(priced.ok && priced.quote.total.minor).toBe(790n)
  })

  it.each([
    ['of another service', found({ service_id: OTHER }), {}, { code: 'NOT_FOUND' }],
    ['that does not exist', undefined, {}, { code: 'NOT_FOUND' }],
    ['that is no longer sold', found({ orderable: false }), {}, { code: 'NOT_ORDERABLE' }],
    [
      'beside a size of the customer’s own',
      found(),
      { resources: size },
      { code: 'INVALID_RESOURCES', params: { resource: 'package', reason: 'unknown' } },
    ],
  ] as const)('is refused for a package %s', async (_what, row, more, refusal) => {
    expect(await ordered(row, more)).toEqual({ ok: false, ...refusal })
  })
})

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
