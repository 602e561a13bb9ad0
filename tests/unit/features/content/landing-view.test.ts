import { describe, expect, it } from 'vitest'
import type { Landing, Package, Service } from '../../../../src/cms/payload-types.ts'
import { landingViewOf, productsOf, startingPriceFt } from '../../../../src/features/content/landing-view.ts'

const stamps = { createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' }
const service = (id: string, change: Partial<Service> = {}): Service => ({
  id,
  name: id,
  slug: id,
  category: 'gameServer',
  orderable: true,
  highlighted: false,
  position: 1,
  ...stamps,
  ...change,
})
const offer = (serviceId: string, pricePerMonthFt: number, orderable = true): Package => ({
  id: `${serviceId}-${pricePerMonthFt}`,
  name: serviceId,
  service: serviceId,
  pricePerMonthFt,
  cpuPercent: 100,
  ramMiB: 1024,
  storageMiB: 1024,
  orderable,
  highlighted: false,
  ...stamps,
})

describe('startingPriceFt', () => {
  const packages = [offer('mc', 2490), offer('mc', 990), offer('mc', 1, false), offer('cs', 5)]

  it('is the cheapest package that can be ordered', () => {
    expect(startingPriceFt(service('mc'), packages)).toBe(990)
  })

  it('is the smallest choice of points where there is no package', () => {
    expect(startingPriceFt(service('fx', { points: { minimumPoint: 10, pricePerPointFt: 58 } }), packages)).toBe(580)
  })

  it('is unknown where the price depends on the size alone', () => {
    expect(startingPriceFt(service('vps', { points: { minimumPoint: null } }), packages)).toBeNull()
  })
})

describe('productsOf', () => {
  it('lists what can be ordered, the cheapest first, the unpriced in the editors’ order', () => {
    const services = [
      service('vps'),
      service('bot'),
      service('mc'),
      service('cs'),
      service('off', { orderable: false }),
    ]
    const products = productsOf(services, [offer('mc', 990), offer('cs', 580), offer('off', 1)])
    expect(products.map(({ slug, fromPriceFt }) => [slug, fromPriceFt])).toEqual([
      ['cs', 580],
      ['mc', 990],
      ['vps', null],
      ['bot', null],
    ])
  })
})

describe('landingViewOf', () => {
  it('takes unfilled groups for missing', () => {
    const bare = { id: '1', hero: {}, products: {}, dashboard: {}, banners: { webDesign: {} } } as unknown as Landing
    expect(landingViewOf(bare, { services: [], packages: [] })).toEqual({
      hero: null,
      products: [],
      whyUs: [],
      faq: [],
      partners: [],
      dashboard: null,
    })
  })
})
