import { unstable_cache } from 'next/cache'
import { GUIDE_BOUNDS } from '#contracts/guides/guide-link.ts'
import type { GuideTopic } from '#contracts/guides/topics.ts'
import type { Guide } from '@/cms/payload-types.ts'
import { cms } from '@/cms/start/payload.ts'
import type { Locale } from '@/i18n/locales.ts'
import { orAtBuild } from '@/lib/site/content-at-build.ts'

export type ShownGuide = Pick<Guide, 'slug' | 'title' | 'summary' | 'body'>

const readGuides = unstable_cache(
  async (topic: GuideTopic, locale: Locale): Promise<readonly ShownGuide[]> => {
    const payload = await cms()
    const { docs } = await payload.find({
      collection: 'guides',
      locale,
      depth: 0,
      limit: GUIDE_BOUNDS.guides,
      sort: ['position', 'id'],
      where: { and: [{ published: { equals: true } }, { topic: { equals: topic } }] },
    })
    return docs.map(({ slug, title, summary, body }) => ({ slug, title, summary, body }))
  },
  ['guides'],
  { tags: ['guides'] },
)

/** The published guides of a topic in their order; none while a build has no database. */
export const publishedGuides = (topic: GuideTopic, locale: Locale): Promise<readonly ShownGuide[]> =>
  orAtBuild(() => readGuides(topic, locale), [])
