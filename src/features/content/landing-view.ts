import type { Landing, Package, Service, Template } from '@/cms/payload-types.ts'
import { canRunInContainers } from '#contracts/agent/image-reference.ts'
import { unavailability } from '#domain/servers/availability.ts'

export type Product = {
  slug: string
  name: string
  description: string
  category: Service['category']
  /** The lowest monthly price in whole forints; null if the price depends on the chosen size. */
  fromPriceFt: number | null
  /** The package of that price; null if it is not a package's. */
  packageId: string | null
  /** Whether this installation can install it. */
  available: boolean
  /** Path of its banner on the site. */
  banner: string | null
}

export type LandingView = {
  hero: { title: string; text: string; callToAction: string } | null
  products: readonly Product[]
  whyUs: readonly { id: string; title: string; text: string }[]
  faq: readonly { id: string; question: string; answer: string }[]
  partners: readonly { id: string; name: string; url: string | null; description: string }[]
  dashboard: { title: string; text: string } | null
}

export const emptyLanding: LandingView = { hero: null, products: [], whyUs: [], faq: [], partners: [], dashboard: null }

const serviceOf = (entry: Package) => (typeof entry.service === 'string' ? entry.service : entry.service.id)

const pointsPrice = ({ points }: Service): number | null => {
  const { minimumPoint, pricePerPointFt } = points ?? {}
  return minimumPoint && pricePerPointFt ? minimumPoint * pricePerPointFt : null
}

const orderablePackages = (service: Service, packages: readonly Package[]) =>
  packages.filter((entry) => entry.orderable && serviceOf(entry) === service.id)

/** A service's lowest price stated in the catalog: its cheapest package, else its smallest choice of points. */
export const startingPriceFt = (service: Service, packages: readonly Package[]): number | null => {
  const prices = orderablePackages(service, packages).map((entry) => entry.pricePerMonthFt)
  return prices.length > 0 ? Math.min(...prices) : pointsPrice(service)
}

export type Catalog = {
  readonly services: readonly Service[]
  readonly packages: readonly Package[]
  readonly templates: readonly Pick<Template, 'id' | 'runtimes' | 'dockerImages' | 'installationImage'>[]
  /** Ids of services -> paths of their banners. */
  readonly banners: ReadonlyMap<string, string | null>
  /** The enrolled computers that take new servers. */
  readonly nodes: readonly { readonly computerId: string; readonly runtime: string }[]
}

const idOf = (entry: string | { id: string }): string => (typeof entry === 'string' ? entry : entry.id)

const isAvailable = (service: Service, { templates, nodes }: Catalog): boolean => {
  const wanted = service.serverTemplate ? idOf(service.serverTemplate) : null
  const row = templates.find(({ id }) => id === wanted)
  const images = (row?.dockerImages ?? []).map(({ image }) => image)
  const template = row && {
    runtimes: row.runtimes,
    hasImages: canRunInContainers({ images, installationImage: row.installationImage }),
  }
  const machines = (service.machine ?? []).map(idOf)
  const own = nodes.filter(({ computerId }) => machines.length === 0 || machines.includes(computerId))
  return (
    unavailability(
      { category: service.category, template },
      own.map(({ runtime }) => runtime),
    ) === null
  )
}

const byPrice = (one: Product, other: Product) =>
  Number(other.available) - Number(one.available) ||
  (one.fromPriceFt ?? Number.MAX_SAFE_INTEGER) - (other.fromPriceFt ?? Number.MAX_SAFE_INTEGER)

/**
 * Orderable services with their lowest price: first those that this installation can install, the cheapest first; those
 * without a price keep the editors' order at the end.
 */
export const productsOf = (catalog: Catalog): readonly Product[] =>
  catalog.services
    .filter((service) => service.orderable)
    .map((service) => {
      const fromPriceFt = startingPriceFt(service, catalog.packages)
      const cheapest = orderablePackages(service, catalog.packages).find(
        (entry) => entry.pricePerMonthFt === fromPriceFt,
      )
      return {
        slug: service.slug,
        name: service.name,
        description: service.description ?? '',
        category: service.category,
        fromPriceFt,
        packageId: cheapest?.id ?? null,
        available: isAvailable(service, catalog),
        banner: catalog.banners.get(service.id) ?? null,
      }
    })
    .toSorted(byPrice)

const keyed = <Row extends { id?: string | null }>(rows: readonly Row[] | null | undefined) =>
  (rows ?? []).map((row, place) => ({ ...row, id: row.id ?? String(place) }))

const filled = <Group extends Record<string, string>>(group: Group | null | undefined): Group | null =>
  group && Object.values(group).every(Boolean) ? group : null

/** The landing page's content from the CMS's rows. Groups that are not filled in yet are null. */
export const landingViewOf = (landing: Landing, catalog: Catalog): LandingView => ({
  hero: filled({ title: landing.hero?.title, text: landing.hero?.text, callToAction: landing.hero?.callToAction }),
  products: productsOf(catalog),
  whyUs: keyed(landing.whyUs).map(({ id, title, text }) => ({ id, title, text })),
  faq: keyed(landing.faq).map(({ id, question, answer }) => ({ id, question, answer })),
  partners: keyed(landing.partners).map(({ id, name, url, description }) => ({
    id,
    name,
    url: url ?? null,
    description: description ?? '',
  })),
  dashboard: filled({ title: landing.dashboard?.title, text: landing.dashboard?.text }),
})
