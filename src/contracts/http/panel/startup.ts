import * as z from 'zod'
import { MAX_VALUE_LENGTH } from '#domain/startup/check-value.ts'
import { IMAGE_MAX_LENGTH } from '../../agent/image-reference.ts'
import { Instant } from '../../primitives.ts'

/** More variables than any known template has. */
const MAX_VARIABLES = 200
const EnvironmentVariable = z.string().regex(/^[A-Z_][A-Z0-9_]{0,63}$/)

/**
 * A variable of a server's template. `rules` are those of `#domain/startup/rules.ts`. A secret has neither value nor default
 * here; `isSet` says whether it has a value. Nobody sets a variable that is `given`: its node does, from there.
 */
export const StartupVariable = z.object({
  environmentVariable: z.string(),
  name: z.string(),
  description: z.string(),
  rules: z.string(),
  editable: z.boolean(),
  secret: z.boolean(),
  isSet: z.boolean(),
  value: z.string().nullable(),
  default: z.string().nullable(),
  isDefault: z.boolean(),
  /** For a variable that contains a port: `primary`, the number of a port, or null for another number. */
  port: z.object({ link: z.string().nullable(), default: z.string().nullable() }).nullable(),
  /** Absent in answers of an older control plane. */
  given: z.enum(['port', 'ip', 'memory']).nullable().default(null),
})
export type StartupVariable = z.infer<typeof StartupVariable>

/** `GET /api/server/{id}/startup`. */
export const ServerStartup = z.object({
  /** Rises with every saved change. A change names the one that it is based on. */
  version: z.int(),
  changedAt: Instant.nullable(),
  /** The arguments of the start, with their placeholders. */
  command: z.array(z.string()),
  memoryMiB: z.int(),
  variables: z.array(StartupVariable),
  ports: z.array(z.object({ port: z.int(), primary: z.boolean() })),
  /** Null on a node without containers. */
  image: z
    .object({ current: z.string(), choices: z.array(z.object({ label: z.string(), image: z.string() })) })
    .nullable(),
  /** The saved settings that the running program does not use yet; null while nothing runs, or its node does not say. */
  running: z.object({ variables: z.array(z.string()), image: z.boolean(), rest: z.boolean() }).nullable(),
})
export type ServerStartup = z.infer<typeof ServerStartup>

/** Null stands for the template's default. A variable that contains a port takes `primary` or the number of a port. */
export const StartupChange = z.object({
  version: z.int(),
  variables: z
    .record(EnvironmentVariable, z.string().max(MAX_VALUE_LENGTH).nullable())
    .refine((variables) => Object.keys(variables).length <= MAX_VARIABLES),
})
export type StartupChange = z.infer<typeof StartupChange>

export const StartupImageChange = z.object({ version: z.int(), image: z.string().max(IMAGE_MAX_LENGTH) })
export type StartupImageChange = z.infer<typeof StartupImageChange>

export const SecretRequest = z.object({ variable: EnvironmentVariable })
export const SecretAnswer = z.object({ value: z.string() })
export type SecretAnswer = z.infer<typeof SecretAnswer>
