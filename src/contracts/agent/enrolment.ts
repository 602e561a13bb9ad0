import * as z from 'zod'
import { Id } from '../primitives.ts'

export const ENROLMENT_TOKEN_MINUTES = 15

/** PostgreSQL refuses NUL. */
const NO_CONTROL = /^\P{Cc}*$/u

/** POST /api/agent/enrol on the control plane's public listener: exchanges a single-use token for a node id. */
export const EnrolmentRequest = z.object({
  token: z.string().min(32).max(256),
  /** Raw Ed25519 public key, base64url. */
  publicKey: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  agentVersion: z.string().max(32).regex(NO_CONTROL),
  hostname: z.string().max(255).regex(NO_CONTROL),
})
export type EnrolmentRequest = z.infer<typeof EnrolmentRequest>
export const EnrolmentAnswer = z.object({ nodeId: Id, name: z.string() })
export type EnrolmentAnswer = z.infer<typeof EnrolmentAnswer>
