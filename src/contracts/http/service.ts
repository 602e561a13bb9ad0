import * as z from 'zod'
import { AmountFt, Id } from '../primitives.ts'

export const SERVICE_CATEGORIES = ['gameServer', 'vps', 'bot', 'other'] as const

/** The Package entity of specification section 3. */
export const Package = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  serverType: z.string(),
  pricePerMonthFt: AmountFt,
  cpuPercent: z.int(),
  ramMiB: z.int(),
  storageMiB: z.int(),
  orderable: z.boolean(),
  highlighted: z.boolean(),
})
export type Package = z.infer<typeof Package>

const ResourceRange = z.object({ minimum: z.int(), maximum: z.int(), step: z.int(), unitPriceFt: AmountFt })

export const ServicePlace = z.object({
  city: z.string().nullable(),
  /** ISO code of two letters. */
  country: z.string().nullable(),
  pingUrl: z.string(),
})
export type ServicePlace = z.infer<typeof ServicePlace>

/** The Service entity of specification section 3, in the caller's language. */
export const Service = z.object({
  id: Id,
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  category: z.enum(SERVICE_CATEGORIES),
  serverTemplate: Id.nullable(),
  machine: z.array(Id),
  banner: z.string().nullable(),
  icon: z.string().nullable(),
  orderable: z.boolean(),
  highlighted: z.boolean(),
  packages: z.array(Package),
  resources: z.object({ cpuPercent: ResourceRange, ramMiB: ResourceRange, storageMiB: ResourceRange }).nullable(),
  operatingSystems: z.array(z.object({ name: z.string(), templateId: z.string() })),
  points: z.object({ pointsCount: z.int(), minimumPoint: z.int(), pricePerPointFt: AmountFt }).nullable(),
  startingPriceFt: AmountFt.nullable(),
  /** The version that its template installs, or `latest`; null if the template names none. */
  version: z.string().nullable().default(null),
  /** The memory of a server and of each player, from which a size's number of players follows. */
  players: z.object({ baseMemoryMiB: z.int(), playerMemoryMiB: z.int() }).nullable().default(null),
  /** The places where it can be installed now, one for each computer; `pingUrl` answers browsers at once. */
  places: z.array(ServicePlace).default([]),
  /** Why it cannot currently be rented on this installation, in the caller's language; null if it can. */
  unavailableReason: z.string().nullable(),
})
export type Service = z.infer<typeof Service>

export const ResourceChoice = z.object({
  cpuPercent: z.int().positive(),
  ramMiB: z.int().positive(),
  storageMiB: z.int().positive(),
  points: z.int().positive().optional(),
})
export type ResourceChoice = z.infer<typeof ResourceChoice>
