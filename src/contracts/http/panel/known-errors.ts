import * as z from 'zod'
import { MAX_PATTERN } from '#domain/known-errors/pattern.ts'
import { STAFF_RULE_ACTIONS } from '#domain/known-errors/staff-rules.ts'
import { Id } from '../../primitives.ts'

/** A rule of staff for the cards of a console, in the reader's language. The pattern is compared without regard to case. */
export const StaffKnownError = z.object({
  id: Id,
  title: z.string(),
  explanation: z.string(),
  pattern: z.string().max(MAX_PATTERN),
  /** Pages that the card links to. */
  actions: z.array(z.enum(STAFF_RULE_ACTIONS)),
})
export type StaffKnownError = z.infer<typeof StaffKnownError>

/** `GET /api/server/{id}/known-errors`: the active rules for servers of its template. */
export const StaffKnownErrors = z.object({ rules: z.array(StaffKnownError) })
export type StaffKnownErrors = z.infer<typeof StaffKnownErrors>
