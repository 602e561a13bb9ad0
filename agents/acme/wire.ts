import * as z from 'zod'

/** Responses of an authority (RFC 8555 section 7.1). Unused members are omitted. */
export const Directory = z.object({
  newNonce: z.url(),
  newAccount: z.url(),
  newOrder: z.url(),
  /** RFC 9773: the authority suggests the renewal time. */
  renewalInfo: z.url().optional(),
  meta: z.object({ externalAccountRequired: z.boolean().optional() }).optional(),
})
export type Directory = z.infer<typeof Directory>

export const Problem = z.object({
  type: z.string().default(''),
  detail: z.string().default(''),
  subproblems: z.array(z.object({ detail: z.string().default('') })).default([]),
})
export type Problem = z.infer<typeof Problem>

export const Order = z.object({
  status: z.enum(['pending', 'ready', 'processing', 'valid', 'invalid']),
  authorizations: z.array(z.url()),
  finalize: z.url(),
  certificate: z.url().optional(),
  error: Problem.optional(),
})
export type Order = z.infer<typeof Order>

const Challenge = z.object({
  type: z.string(),
  url: z.url(),
  /** Becomes a part of a path, so it must be base64url (RFC 8555 section 8.3). */
  token: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,256}$/)
    .optional(),
  error: Problem.optional(),
})

export const Authorization = z.object({
  status: z.enum(['pending', 'valid', 'invalid', 'deactivated', 'expired', 'revoked']),
  challenges: z.array(Challenge),
})
export type Authorization = z.infer<typeof Authorization>

/** RFC 9773 section 4.2. */
export const RenewalInfo = z.object({
  suggestedWindow: z.object({ start: z.iso.datetime({ offset: true }), end: z.iso.datetime({ offset: true }) }),
})
