import type { Document, Landing, Navigation, Setting } from '@/cms/payload-types.ts'

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
}

export const emptySite: SiteView = {
  hostName: 'Bakter',
  registrationOpen: true,
  hasPartners: false,
  registry: [],
  documents: { terms: null, privacy: null },
  statusUrl: null,
  footerLinks: [],
}

type Sources = {
  landing: Landing
  navigation: Navigation
  documents: Document
  settings: Pick<Setting, 'hostName' | 'killSwitches'>
}

export const siteViewOf = ({ landing, navigation, documents, settings }: Sources): SiteView => ({
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
})
