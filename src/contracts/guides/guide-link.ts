import * as z from 'zod'
import { GUIDE_TOPICS } from './topics.ts'

export const GUIDE_BOUNDS = { searched: 600, guides: 500 } as const

/** A guide as a link to it: its address is made of topic and slug (`guidePath`). */
export const GuideLink = z.object({
  slug: z.string(),
  topic: z.enum(GUIDE_TOPICS),
  title: z.string(),
  summary: z.string(),
})
export type GuideLink = z.infer<typeof GuideLink>
export const GuideList = z.array(GuideLink)

/** A text in the address is refused: proxies log addresses, and it may be the beginning of a private message. */
export const GuideQuery = z.strictObject({})

/** The reader types it. PostgreSQL stores no NUL. */
export const GuideMatch = z.object({
  text: z
    .string()
    .max(GUIDE_BOUNDS.searched)
    .refine((text) => !text.includes('\0')),
})
