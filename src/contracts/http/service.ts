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
