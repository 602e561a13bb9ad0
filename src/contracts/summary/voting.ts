import * as z from 'zod'
import { Id, Instant } from '../primitives.ts'

/** The id of an option, as the CMS gives it to a row. It stays when the text is corrected. */
export const OptionId = z.string().regex(/^[\x21-\x7e]{1,64}$/)

const Votes = z.int().min(0)

/** A voting with its texts in the reader's language. */
export const ShownVoting = z.object({
  id: Id,
  question: z.string(),
  state: z.enum(['active', 'ended']),
  /** The end that has come or will come; null while there is none. */
  endsAt: Instant.nullable(),
  /** The option that the reader chose; null if they have not voted. */
  ownOption: z.string().nullable(),
  /** The number of people who have voted. */
  votes: Votes,
  /** The votes of each option are null until the reader has voted or the voting has ended. */
  options: z.array(z.object({ id: z.string(), text: z.string(), votes: Votes.nullable() })),
})
export type ShownVoting = z.infer<typeof ShownVoting>

/** `GET /api/voting`: the voting that runs, or else the one that ended within the last week. */
export const VotingAnswer = z.object({ voting: ShownVoting.nullable() })
export type VotingAnswer = z.infer<typeof VotingAnswer>

export const VotingPath = z.object({ id: Id })

/** `POST /api/voting/{id}/vote`: the choice, which replaces an earlier one. */
export const Vote = z.object({ option: OptionId })
