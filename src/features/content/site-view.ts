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

/** What every public page's frame needs: the host's name, the registry data, the documents and the editors' own links. */
export type SiteView = {
  hostName: string
  registrationOpen: boolean
  hasPartners: boolean
  registry: readonly { key: RegistryKey; value: string }[]
  documents: { terms: string | null; privacy: string | null }
  statusUrl: string | null
  footerLinks: readonly { title: string; link: string }[]
  /** What the menus of dashboard and panel show; empty and null where staff have chosen nothing. */
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
  /** Those that the landing page names as popular, in any order. */
  popular: readonly Pick<Service, 'id' | 'name' | 'orderable'>[]
  navigation: Navigation
  documents: Document
  settings: Pick<Setting, 'hostName' | 'killSwitches'>
}

const mostPopular = 5

/** The chips in the order of staff; what is not on offer has none. */
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
