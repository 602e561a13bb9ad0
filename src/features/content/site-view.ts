import type { Document, Landing, Navigation, Service, Setting } from '@/cms/payload-types.ts'

export const registryKeys = [
  'companyName',
  'seat',
  'registrationNumber',
  'taxNumber',
  'email',
  'phone',
  'dataProtectionNumber',
] as const
export type RegistryKey = (typeof registryKeys)[number]

/**
 * The data of every public page's frame: the host's name, the company data, the documents and the editors' own links.
 */
export type SiteView = {
  hostName: string
  registrationOpen: boolean
  hasPartners: boolean
  registry: readonly { key: RegistryKey; value: string }[]
  documents: { terms: string | null; privacy: string | null }
  statusUrl: string | null
  footerLinks: readonly { title: string; link: string }[]
  /** The promotions in the menus of dashboard and panel; empty and null if staff have chosen none. */
  promotions: {
    popular: readonly string[]
    partner: { name: string; url: string; text: string } | null
  }
}

export const emptySite: SiteView = {
  hostName: 'Bakter',
  registrationOpen: true,
  hasPartners: false,
  registry: [],
  documents: { terms: null, privacy: null },
  statusUrl: null,
  footerLinks: [],
  promotions: { popular: [], partner: null },
}

type Sources = {
  landing: Landing
  /** The services that the landing page names as popular, in any order. */
  popular: readonly Pick<Service, 'id' | 'name' | 'orderable'>[]
  navigation: Navigation
  documents: Document
  settings: Pick<Setting, 'hostName' | 'killSwitches'>
}

const mostPopular = 5

/** The chips in staff's order; a service that is not offered has none. */
const popularOf = ({ landing, popular }: Pick<Sources, 'landing' | 'popular'>): readonly string[] =>
  (landing.banners?.popularServices ?? [])
    .map((chosen) => popular.find(({ id }) => id === (typeof chosen === 'string' ? chosen : chosen.id)))
    .flatMap((service) => (service?.orderable ? [service.name] : []))
    .slice(0, mostPopular)

// An address of another scheme would run in the page that links to it.
const partnerOf = ({ banners }: Landing): SiteView['promotions']['partner'] => {
  const { name, url, text } = banners?.webDesign ?? {}
  return name && text && url && /^https?:\/\//i.test(url) ? { name, url, text } : null
}

export const siteViewOf = ({ landing, popular, navigation, documents, settings }: Sources): SiteView => ({
  hostName: settings.hostName || emptySite.hostName,
  registrationOpen: settings.killSwitches?.registration ?? true,
  hasPartners: (landing.partners ?? []).length > 0,
  registry: registryKeys.flatMap((key) => {
    const value = landing.registry?.[key]
    return value ? [{ key, value }] : []
  }),
  documents: { terms: documents.terms?.title || null, privacy: documents.privacy?.title || null },
  statusUrl: navigation.statusUrl || null,
  footerLinks: (navigation.footerLinks ?? []).map(({ title, link }) => ({ title, link })),
  promotions: { popular: popularOf({ landing, popular }), partner: partnerOf(landing) },
})
