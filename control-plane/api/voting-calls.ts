import type { Context } from '../platform/context.ts'
import { castVote, readShownVoting } from '../votings/votings.ts'
import type { InternalCalls } from './api-deps.ts'
import { ApiRefusal } from './api-refusal.ts'

/** Calls about the voting on the summary. */
export const votingCalls = ({ context }: { readonly context: Context }): Pick<InternalCalls, 'voting' | 'vote'> => ({
  voting: ({ caller }) => readShownVoting(context, caller),
  vote: async ({ caller, votingId, option }) => {
    const result = await castVote(context, { caller, votingId, optionId: option })
    if (!result.ok) throw new ApiRefusal(result.code)
    return result.answer
  },
})
