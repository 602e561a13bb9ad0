import type { GuideTopic } from '#contracts/guides/topics.ts'
import type { LocalizedText } from '#contracts/locale.ts'
import { type Block, richText } from '../rich-text.ts'

type Written = {
  readonly title: string
  readonly summary: string
  readonly words: string
  readonly body: readonly Block[]
}

/** A guide of the demo, in each language as its own writer would say it. */
export type GuideSeed = {
  readonly slug: string
  readonly en: Written
  readonly hu: Written
  readonly de: Written
}

const inEach = (guide: GuideSeed, part: 'title' | 'summary' | 'words'): LocalizedText => ({
  en: guide.en[part],
  hu: guide.hu[part],
  de: guide.de[part],
})

/** The guides of a topic as documents of the CMS, in their order. */
export const guideDocuments = (topic: GuideTopic, guides: readonly GuideSeed[]) =>
  guides.map((guide, place) => ({
    slug: guide.slug,
    topic,
    title: inEach(guide, 'title'),
    summary: inEach(guide, 'summary'),
    words: inEach(guide, 'words'),
    body: { en: richText(guide.en.body), hu: richText(guide.hu.body), de: richText(guide.de.body) },
    position: (place + 1) * 10,
    published: true,
  }))
