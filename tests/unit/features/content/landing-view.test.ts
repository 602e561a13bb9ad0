import { describe, expect, it } from 'vitest'
import type { Landing, Package, Service } from '../../../../src/cms/payload-types.ts'
import { landingViewOf, productsOf, startingPriceFt } from '../../../../src/features/content/landing-view.ts'
import type { Catalog } from '../../../../src/features/content/landing-view.ts'

const here = { templates: [], nodes: [], banners: new Map<string, string | null>() }
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
  it('shows each product with the banner of its service', () => {
    const banners = new Map([['mc', '/pictures/banners/minecraft.svg']])
    const products = productsOf({ services: [service('mc'), service('cs')], packages: [], ...here, banners })
    expect(products.map(({ slug, banner }) => [slug, banner])).toEqual([
      ['mc', '/pictures/banners/minecraft.svg'],
      ['cs', null],
    ])
  })

  it('lists what can be ordered, the cheapest first, the unpriced in the editors’ order', () => {
    const services = [
      service('vps'),
      service('bot'),
      service('mc'),
      service('cs'),
      service('off', { orderable: false }),
    ]
    const packages = [offer('mc', 990), offer('cs', 580), offer('off', 1)]
    const products = productsOf({ services, packages, ...here })
    expect(products.map(({ slug, fromPriceFt }) => [slug, fromPriceFt])).toEqual([
      ['cs', 580],
      ['mc', 990],
      ['vps', null],
      ['bot', null],
    ])
  })
})

describe('what the installation cannot install', () => {
  const templates = [
    { id: 'processes', runtimes: ['process'], dockerImages: [] },
    { id: 'containers', runtimes: ['docker'], dockerImages: [{ label: 'x', image: `game@sha256:${'a'.repeat(64)}` }] },
    { id: 'tagged', runtimes: ['docker'], dockerImages: [{ label: 'x', image: 'game:latest' }] },
  ] satisfies Catalog['templates']
  const availableOn = (runtime: string, change: Partial<Service>) =>
    productsOf({
      services: [service('mc', change)],
      packages: [offer('mc', 990)],
      ...here,
      templates,
      nodes: [{ computerId: 'node', runtime }],
    }).map(({ available }) => available)

  it('is named as unavailable: no runtime, no image, no template, another machine, a VPS', () => {
    expect(availableOn('process', { serverTemplate: 'processes' })).toEqual([true])
    expect(availableOn('docker', { serverTemplate: 'containers' })).toEqual([true])
    expect(availableOn('process', { serverTemplate: 'containers' })).toEqual([false])
    expect(availableOn('docker', { serverTemplate: 'tagged' })).toEqual([false])
    expect(availableOn('process', {})).toEqual([false])
    expect(availableOn('process', { serverTemplate: 'processes', machine: ['another'] })).toEqual([false])
    expect(availableOn('process', { serverTemplate: 'processes', category: 'vps' })).toEqual([false])
  })

  it('comes after everything that can be ordered, whatever it costs', () => {
    const products = productsOf({
      services: [service('cs', { serverTemplate: 'containers' }), service('mc', { serverTemplate: 'processes' })],
      packages: [offer('cs', 580), offer('mc', 990)],
      ...here,
      templates,
      nodes: [{ computerId: 'node', runtime: 'process' }],
    })
    expect(products.map(({ slug }) => slug)).toEqual(['mc', 'cs'])
  })
})

describe('landingViewOf', () => {
  it('takes unfilled groups for missing', () => {
    const bare = { id: '1', hero: {}, products: {}, dashboard: {}, banners: { webDesign: {} } } as unknown as Landing
    expect(landingViewOf(bare, { services: [], packages: [], ...here })).toEqual({
      hero: null,
      products: [],
      whyUs: [],
      faq: [],
      partners: [],
      dashboard: null,
    })
  })
})
