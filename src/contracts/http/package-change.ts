import * as z from 'zod'
import { AmountFt, Id, Instant, SeenFt } from '../primitives.ts'
import { Server } from './server.ts'
import { ResourceChoice } from './service.ts'

/** Why a package of the service cannot be chosen. */
export const PACKAGE_OBSTACLES = ['not-offered', 'no-capacity', 'expired'] as const

const Offered = z.object({ packageId: Id, resources: ResourceChoice, monthlyFt: AmountFt })

/**
 * Another package of the server's service. `once`: it costs more, and applies at once for `chargeFt`; `renewal`: it applies at the
 * next renewal. `chargeFt` is 0 then, and while nothing can be chosen: the server has expired, or a planned change is paid. `renewalFt` is a month in it, less the premium discount.
 */
export const PackageOffer = Offered.extend({
  name: z.string(),
  at: z.enum(['once', 'renewal']),
  chargeFt: AmountFt,
  renewalFt: AmountFt,
  missingFt: AmountFt,
  obstacle: z.enum(PACKAGE_OBSTACLES).nullable(),
})
export type PackageOffer = z.infer<typeof PackageOffer>

/** `isPaid`: a period in it is paid already, so the plan can no longer be cancelled. */
export const PlannedPackage = z.object({
  packageId: Id,
  name: z.string(),
  monthlyFt: AmountFt,
  startsAt: Instant,
  isPaid: z.boolean(),
})

/** The package of a server, the others of its service from the cheapest to the dearest, and the planned one. */
export const ServerPackages = z.object({
  present: Offered.extend({ name: z.string(), renewalFt: AmountFt }),
  offers: z.array(PackageOffer),
  planned: PlannedPackage.nullable(),
  /** The remaining days of the paid time, rounded up. */
  days: z.int(),
  balanceFt: AmountFt,
  expiry: Instant,
})
export type ServerPackages = z.infer<typeof ServerPackages>

/** `expectedChargeFt` is the charge that the customer saw, otherwise PRICE_CHANGED; `expectedMonthlyFt` the monthly price. */
export const PackageChangeRequest = z.object({
  packageId: Id,
  expectedChargeFt: SeenFt.optional(),
  expectedMonthlyFt: SeenFt.optional(),
})
export type PackageChangeRequest = z.infer<typeof PackageChangeRequest>

/** `startsAt` is the time of the change: now for an upgrade. */
export const PackageChangeRecord = z.object({
  at: z.enum(['once', 'renewal']),
  packageId: Id,
  chargeFt: AmountFt,
  monthlyFt: AmountFt,
  startsAt: Instant,
})
export type PackageChangeRecord = z.infer<typeof PackageChangeRecord>
export const PackageChangeAnswer = z.object({ change: PackageChangeRecord, server: Server })
export type PackageChangeAnswer = z.infer<typeof PackageChangeAnswer>

export const KeptPackage = z.object({ server: Server })
export type KeptPackage = z.infer<typeof KeptPackage>
