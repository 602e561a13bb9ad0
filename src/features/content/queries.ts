import { unstable_cache } from 'next/cache'
import type { ServicePicturesRow } from '#contracts/cms-api/rows.ts'
import type { NodeRuntimeRow } from '#contracts/control-api/rows.ts'
import type { Document, News } from '@/cms/payload-types.ts'
import type { Locale } from '@/i18n/locales.ts'
import { cms } from '@/cms/start/payload.ts'
import { orAtBuild } from '@/lib/site/content-at-build.ts'
import { emptyLanding, landingViewOf } from './landing-view.ts'
import type { LandingView } from './landing-view.ts'
import { emptySite, siteViewOf } from './site-view.ts'
import type { SiteView } from './site-view.ts'

const readSite = unstable_cache(
  async (locale: Locale): Promise<SiteView> => {
    const payload = await cms()
    const [landing, navigation, documents, settings] = await Promise.all([
      payload.findGlobal({ slug: 'landing', locale, depth: 0 }),
      payload.findGlobal({ slug: 'navigation', locale, depth: 0 }),
      payload.findGlobal({ slug: 'documents', locale, depth: 0 }),
      payload.findGlobal({ slug: 'settings', locale, depth: 0, select: { hostName: true, killSwitches: true } }),
    ])
    const chosen = (landing.banners?.popularServices ?? []).map((entry) =>
      typeof entry === 'string' ? entry : entry.id,
    )
    const popular = await payload.find({
      collection: 'services',
      locale,
      depth: 0,
      pagination: false,
      joins: false,
      where: { id: { in: chosen } },
      select: { name: true, orderable: true },
    })
    return siteViewOf({ landing, popular: popular.docs, navigation, documents, settings })
  },
  ['site'],
  { tags: ['landing', 'services', 'navigation', 'documents', 'settings'] },
)

const readLanding = unstable_cache(
  async (locale: Locale): Promise<LandingView> => {
    const payload = await cms()
    const [landing, services, packages, templates, computers, runtimes, pictures] = await Promise.all([
      payload.findGlobal({ slug: 'landing', locale, depth: 0 }),
      payload.find({ collection: 'services', locale, depth: 0, limit: 100, sort: 'position', joins: false }),
      payload.find({ collection: 'packages', locale, depth: 0, limit: 100, where: { orderable: { equals: true } } }),
      payload.find({ collection: 'templates', locale, depth: 0, pagination: false }),
      payload.find({
        collection: 'computers',
        depth: 0,
        pagination: false,
        where: { orderable: { equals: true } },
        select: {},
      }),
      payload.db.pool.query<NodeRuntimeRow>('select computer_id, runtime from control_api.node_runtimes'),
      payload.db.pool.query<ServicePicturesRow>('select id, banner, icon from cms_api.service_pictures'),
    ])
    const takesServers = new Set(computers.docs.map(({ id }) => id))
    const nodes = runtimes.rows
      .map(({ computer_id: computerId, runtime }) => ({ computerId, runtime }))
      .filter(({ computerId }) => takesServers.has(computerId))
    const { docs } = services
    const banners = new Map(pictures.rows.map(({ id, banner }) => [id, banner]))
    return landingViewOf(landing, {
      services: docs,
      packages: packages.docs,
      templates: templates.docs,
      banners,
      nodes,
    })
  },
  ['landing'],
  { tags: ['landing', 'services', 'packages', 'templates', 'computers'] },
)

const readDocuments = unstable_cache(
  async (locale: Locale): Promise<Document> => {
    const payload = await cms()
    return payload.findGlobal({ slug: 'documents', locale, depth: 0 })
  },
  ['documents'],
  { tags: ['documents'] },
)

export type NewsLine = Pick<News, 'id' | 'title' | 'description' | 'createdAt'>

const readNews = unstable_cache(
  async (locale: Locale): Promise<readonly NewsLine[]> => {
    const payload = await cms()
    const news = await payload.find({
      collection: 'news',
      locale,
      depth: 0,
      limit: 50,
      sort: '-createdAt',
      where: { published: { equals: true } },
    })
    return news.docs.map(({ id, title, description, createdAt }) => ({ id, title, description, createdAt }))
  },
  ['news'],
  { tags: ['news'] },
)

export const siteContent = (locale: Locale): Promise<SiteView> => orAtBuild(() => readSite(locale), emptySite)
export const landingContent = (locale: Locale): Promise<LandingView> =>
  orAtBuild(() => readLanding(locale), emptyLanding)
export const legalDocuments = (locale: Locale): Promise<Document | null> => orAtBuild(() => readDocuments(locale), null)
export const publishedNews = (locale: Locale): Promise<readonly NewsLine[]> => orAtBuild(() => readNews(locale), [])
