import * as z from 'zod'
import { STOP_TIMEOUT_S } from '#domain/servers/operation.ts'
import { knownTimeZone, TIME_ZONE_LENGTH } from '#domain/users/time-zone.ts'
import { ServerName } from '../order.ts'

export const DESCRIPTION_LENGTH = 500

/** Lines of text. Control characters could hide or reverse a part of it; the joiner stays, because emoji consist of it. */
export const ServerDescription = z
  .string()
  .trim()
  .max(DESCRIPTION_LENGTH)
  .regex(/^(?:[^\p{C}]|[\n\u200d])*$/u)

/** An IANA name as this platform writes it; null for the clock of the machine. */
const ServerZone = z
  .string()
  .max(TIME_ZONE_LENGTH)
  .transform((name, context) => {
    const known = knownTimeZone(name)
    if (known === null) context.addIssue({ code: 'custom', message: 'an unknown time zone' })
    return known ?? name
  })
  .nullable()

const operationFields = {
  timeZone: ServerZone,
  autoStart: z.boolean(),
  /** Seconds. */
  stopTimeoutS: z.int().min(STOP_TIMEOUT_S.least).max(STOP_TIMEOUT_S.most),
}

/** `GET /api/server/{id}/settings`. */
export const ServerSettings = z.object({
  name: z.string(),
  description: z.string(),
  timeZone: z.string().nullable(),
  autoStart: z.boolean(),
  stopTimeoutS: z.int(),
  /** Whether the running program still has another time zone. */
  needsRestart: z.boolean(),
})
export type ServerSettings = z.infer<typeof ServerSettings>

/** `seen` is what the editor showed: settings that were changed meanwhile are refused with SETTINGS_CHANGED. */
export const IdentityChange = z.object({
  name: ServerName,
  description: ServerDescription,
  seen: ServerSettings.pick({ name: true, description: true }),
})
export type IdentityChange = z.infer<typeof IdentityChange>

export const OperationChange = z.object({
  ...operationFields,
  seen: ServerSettings.pick({ timeZone: true, autoStart: true, stopTimeoutS: true }),
})
export type OperationChange = z.infer<typeof OperationChange>
