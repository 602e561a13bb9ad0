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
 * The bar's links in the specification's order. On the landing page they are the sections themselves, elsewhere they lead
 * back to them; without partners there is no such section and no link to it.
 */
export const siteLinks = (path: string, hasPartners: boolean): readonly SiteLink[] => {
  const keys: SectionKey[] = hasPartners ? ['products', 'whyUs', 'partners', 'faq'] : ['products', 'whyUs', 'faq']
  const prefix = path === '/' ? '#' : '/#'
  return [
    ...keys.map((key): SiteLink => ({ key, href: `${prefix}${sectionIds[key]}`, current: false })),
    { key: 'blog', href: '/blog', current: path === '/blog' },
  ]
}

export const dashboardHref = '/dashboard/summary'

type Rented = { slug: string; category: string; packageId: string | null }

/** Where a product of the sign is rented, with the package whose price the sign shows. */
export const productHref = ({ slug, category, packageId }: Rented): string => {
  if (category === 'vps') return '/dashboard/services/vps'
  const query = new URLSearchParams({ rent: slug, ...(packageId === null ? {} : { package: packageId }) })
  return `/dashboard/services/game?${query}`
}

/** Where the landing page explains how to get a test server: it is asked for in a ticket. */
export const trialHref = `#${sectionIds.faq}`
