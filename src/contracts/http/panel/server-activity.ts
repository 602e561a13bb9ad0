import * as z from 'zod'
import { ACTIVITY_GROUPS } from '#domain/servers/activity-groups.ts'
import { ACTIVITY_WAYS } from '../../activity-ways.ts'
import { LocalizedText } from '../../locale.ts'
import { PERMISSIONS } from '../../panel/permissions.ts'
import { AmountFt, Id, Instant } from '../../primitives.ts'
import { Paging } from '../paging.ts'

/** Actors that are no person: the server itself, or one of our timers and jobs. */
export const IMPERSONAL_ACTORS = ['server', 'system'] as const

/**
 * A person in the activities of a server, by the name that everybody sees. A deleted account has no name. `member` has
 * access now, `former` had it.
 */
export const ActivityPerson = z.object({
  id: Id,
  name: z.string().nullable(),
  role: z.enum(['owner', 'staff', 'member', 'former', 'deleted']),
  pictureId: z.string().nullable(),
})
export type ActivityPerson = z.infer<typeof ActivityPerson>

const NoteParam = z.union([z.string().max(64), z.number()]).optional()

/** A note of a node about its server, with the parameters of those that become activities and no other. */
const ServerNote = z.object({
  code: z.string().max(64),
  params: z.object({
    end: NoteParam,
    code: NoteParam,
    signal: NoteParam,
    memory: NoteParam,
    attempt: NoteParam,
    crashes: NoteParam,
    minutes: NoteParam,
    seconds: NoteParam,
    usedMiB: NoteParam,
    limitMiB: NoteParam,
  }),
})
export type ServerNote = z.infer<typeof ServerNote>

/** The amounts and words of an entry besides its text; an unknown field of its row is never sent. */
export const ActivityFacts = z.object({
  before: z.string().max(500).optional(),
  after: z.string().max(500).optional(),
  reason: z.string().max(500).optional(),
  /** A node's own words, for translation; the detail has the same in English. */
  notes: z.array(ServerNote).max(4).optional(),
  months: z.int().optional(),
  /** A charge, positive. */
  chargeFt: AmountFt.optional(),
  /** A refund, positive. */
  backFt: AmountFt.optional(),
  /** The new price of a month. */
  monthlyFt: AmountFt.optional(),
  /** The known error that the lines before a crash name: an id of `#domain/known-errors/rules.ts`, or the title of a rule of staff. */
  error: z.string().max(40).optional(),
  staffError: LocalizedText.optional(),
})
export type ActivityFacts = z.infer<typeof ActivityFacts>

const Entry = z.object({
  id: Id,
  type: z.string(),
  group: z.enum([...ACTIVITY_GROUPS, 'other']),
  status: z.enum(['success', 'failure']),
  date: Instant,
  way: z.enum(ACTIVITY_WAYS).nullable(),
  actor: z.union([ActivityPerson, z.enum(IMPERSONAL_ACTORS)]),
  /** The text of the entry, such as a path or a command. */
  detail: z.string(),
  facts: ActivityFacts,
  /** The permission that the reader needs to see `detail` and `facts`, or `owner`. Null if nothing is held back. */
  missing: z.enum([...PERMISSIONS, 'owner']).nullable(),
})

/** An entry of the activities of a server. The address is null for readers who may not see it. */
export const ServerActivity = Entry.extend({ ipAddress: z.string().nullable(), place: z.string() })
export type ServerActivity = z.infer<typeof ServerActivity>

/** `people` has everybody of the server's activities, and is empty behind the first page. */
export const ServerActivityPage = z.object({
  items: z.array(ServerActivity),
  people: z.array(ActivityPerson),
  next: Id.nullable(),
})
export type ServerActivityPage = z.infer<typeof ServerActivityPage>

/** On its way from the control plane to the site, which knows places and pictures: `sees` says how much of the address the reader gets. */
export const FoundActivity = Entry.extend({ ipAddress: z.string(), sees: z.enum(['address', 'place', 'nothing']) })
export type FoundActivity = z.infer<typeof FoundActivity>
export const FoundActivities = z.object({
  items: z.array(FoundActivity),
  people: z.array(ActivityPerson),
  next: Id.nullable(),
})

/**
 * `text` is looked for in details and names; entries of `types` (separated by commas) match as well, so that a page can
 * add those whose words in the reader's language contain the text.
 */
export const ServerActivityFilter = z.object({
  who: z.union([Id, z.enum(IMPERSONAL_ACTORS)]).optional(),
  group: z.enum(ACTIVITY_GROUPS).optional(),
  way: z.enum(ACTIVITY_WAYS).optional(),
  from: Instant.optional(),
  until: Instant.optional(),
  text: z.string().trim().min(1).max(100).optional(),
  types: z
    .string()
    .regex(/^[a-z.:-]{1,64}(?:,[a-z.:-]{1,64}){0,99}$/)
    .optional(),
})
export type ServerActivityFilter = z.infer<typeof ServerActivityFilter>
export const ServerActivityQuery = Paging.extend(ServerActivityFilter.shape)
