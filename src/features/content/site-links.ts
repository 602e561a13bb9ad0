/** Section ids of the landing page (specification section 2). */
export const sectionIds = {
  products: 'szolgaltatasok',
  whyUs: 'miertmi',
  partners: 'referenciak',
  faq: 'gyik',
} as const
export type SectionKey = keyof typeof sectionIds

export type SiteLink = { key: SectionKey | 'blog'; href: string; current: boolean }

/**
 * The bar's links in the specification's order. On the landing page they link to its sections, elsewhere back to them;
 * without partners that section and its link are omitted.
 */
export const siteLinks = (path: string, hasPartners: boolean): readonly SiteLink[] => {
  const keys: SectionKey[] = hasPartners ? ['products', 'whyUs', 'partners', 'faq'] : ['products', 'whyUs', 'faq']
  const prefix = path === '/' ? '#' : '/#'
  return [
    ...keys.map((key): SiteLink => ({ key, href: `${prefix}${sectionIds[key]}`, current: false })),
    { key: 'blog', href: '/blog', current: path === '/blog' || path.startsWith('/blog/') },
  ]
}

export const dashboardHref = '/dashboard/summary'

type Rented = { slug: string; category: string; packageId: string | null }

/** The rent address of a product on the sign, with the package whose price the sign shows. */
export const productHref = ({ slug, category, packageId }: Rented): string => {
  if (category === 'vps') return '/dashboard/services/vps'
  const query = new URLSearchParams({ rent: slug, ...(packageId === null ? {} : { package: packageId }) })
  return `/dashboard/services/game?${query}`
}

/** Where a test server is requested. */
export const trialHref = '/dashboard/tickets'
