import * as z from 'zod'
import { AmountFt, Id, Instant } from '../primitives.ts'

/** The Computer entity of specification section 3. */
export const Computer = z.object({
  id: Id,
  name: z.string(),
  ip: z.string(),
  url: z.string(),
  availableMemoryMiB: z.int(),
  storageMiB: z.int(),
  cores: z.int(),
  startPort: z.int(),
  portCount: z.int(),
})

/** The Coupon entity of specification section 3. */
export const Coupon = z.object({
  id: Id,
  name: z.string(),
  code: z.string(),
  type: z.enum(['percentage', 'forint']),
  discountAmount: z.int(),
  expiration: Instant.nullable(),
  validFrom: Instant.nullable(),
  validTo: Instant.nullable(),
  maximumPriceFt: AmountFt.nullable(),
  maximumUsage: z.int().nullable(),
  usage: z.enum(['once', 'multiple']),
  applicableServices: z.array(Id),
  active: z.boolean(),
  usersUsed: z.int(),
})

export const SpinCoupon = z.object({ id: Id, code: z.string(), numberOfUses: z.int() })
export const SpinRecord = z.object({
  id: Id,
  type: z.enum(['money', 'reroll', 'server', 'coupon', 'nothing']),
  amount: z.int(),
  date: Instant,
})
export const News = z.object({
  id: Id,
  title: z.string(),
  description: z.string(),
  banner: z.string().nullable(),
  published: z.boolean(),
})
export const Event = z.object({ id: Id, from: Instant, to: Instant, active: z.boolean() })
export const Voting = z.object({ id: Id, options: z.array(z.string()), endDate: Instant.nullable() })

/** The Server template entity of specification section 3. */
export const ServerTemplate = z.object({
  id: Id,
  name: z.string(),
  dockerImage: z.string(),
  startupProgram: z.string(),
  startupText: z.string(),
  stopCommand: z.string(),
  installationProgram: z.string(),
  requiredPorts: z.int(),
  variables: z.array(
    z.object({ name: z.string(), default: z.string(), environmentVariable: z.string(), editable: z.boolean() }),
  ),
})

/** The Global settings entity of specification section 3. The mail password is written, never read. */
export const GlobalSettings = z.object({
  hostName: z.string(),
  killSwitches: z.object({
    ordering: z.boolean(),
    tickets: z.boolean(),
    serverStart: z.boolean(),
    couponUse: z.boolean(),
    registration: z.boolean(),
  }),
  smtp: z.object({ host: z.string(), port: z.int(), username: z.string(), from: z.string(), name: z.string() }),
})
