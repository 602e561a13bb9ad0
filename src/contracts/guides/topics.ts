/** The topics of guides, each a page at `/dashboard/guides/<topic>` (specification section 2). */
export const GUIDE_TOPICS = ['account', 'balance', 'servers', 'services'] as const
export type GuideTopic = (typeof GUIDE_TOPICS)[number]

/** The topic at the end of an address; undefined for anything else. */
export const guideTopicOf = (name: string): GuideTopic | undefined => GUIDE_TOPICS.find((topic) => topic === name)

/** The address of a topic, or of one guide on its page. */
export const guidePath = (topic: GuideTopic, slug?: string): string =>
  `/dashboard/guides/${topic}${slug === undefined ? '' : `#${slug}`}`
