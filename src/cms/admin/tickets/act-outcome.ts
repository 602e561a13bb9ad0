import type { ActOutcome } from '../money/act-dialog.tsx'
import type { Refused } from '../money/ask-admin.ts'

/**
 * The outcome of an act that is done at most once. `done` is the refusal that an act gets which is done already: by an attempt whose
 * answer was lost, or by a colleague in the same moment.
 */
export const outcomeOf = (answer: { readonly ok: true } | Refused, done?: string): ActOutcome =>
  answer.ok || (done !== undefined && answer.code === done) ? undefined : answer
