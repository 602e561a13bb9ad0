import * as z from 'zod'
import { ACTIVITY_GROUPS } from '#domain/servers/activity-groups.ts'
import { MOST_LINES, NEWS_KINDS } from '#domain/servers/since-you-left.ts'
import { Instant } from '../../primitives.ts'
import { ActivityPerson, IMPERSONAL_ACTORS } from './server-activity.ts'

/** Like activities of one actor, as one line. */
export const NewsLine = z.object({
  kind: z.enum(NEWS_KINDS),
  /** The type and the group of the newest one, for its drawing. */
  type: z.string(),
  group: z.enum([...ACTIVITY_GROUPS, 'other']),
  /** Null for readers who may not view activities. */
  actor: z.union([ActivityPerson, z.enum(IMPERSONAL_ACTORS)]).nullable(),
  count: z.int().positive(),
  last: Instant,
  /** The text of the newest one, such as a path. Empty if the reader may not see it. */
  detail: z.string(),
})
export type NewsLine = z.infer<typeof NewsLine>

/** The events on a server while its reader was away. `more` counts the activities that no line tells about. */
export const SinceYouLeft = z.object({
  since: Instant,
  lines: z.array(NewsLine).min(1).max(MOST_LINES),
  more: z.int().nonnegative(),
})
export type SinceYouLeft = z.infer<typeof SinceYouLeft>

/**
 * `POST /api/server/{id}/visit`: the reader has the panel of the server open. `news` is null on a first visit, without an absence, and
 * if nothing happened.
 */
export const PanelVisit = z.object({ news: SinceYouLeft.nullable() })
export type PanelVisit = z.infer<typeof PanelVisit>
