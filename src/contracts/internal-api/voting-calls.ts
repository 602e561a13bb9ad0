import * as z from 'zod'
import { Id } from '../primitives.ts'
import { Vote, VotingAnswer } from '../summary/voting.ts'

/** Calls about the voting on the summary. */
export const votingCalls = <Caller extends z.ZodType>(caller: Caller) => ({
  voting: { input: z.object({ caller }), output: VotingAnswer },
  vote: { input: z.object({ caller, votingId: Id, ...Vote.shape }), output: VotingAnswer },
})
