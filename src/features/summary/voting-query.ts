import { queryOptions } from '@tanstack/react-query'
import { VotingAnswer } from '#contracts/summary/voting.ts'
import { api } from '@/lib/browser-client/browser-client.ts'

const EVERY_MS = 60_000
const HEAL_EVERY_MS = 10_000

/** The voting on the summary, in the reader's language. Its counts are read again each minute while there is one. */
export const votingQuery = (locale: string) =>
  queryOptions({
    queryKey: ['voting', locale],
    queryFn: ({ signal }) => api.call('/api/voting', { schema: VotingAnswer, signal }),
    staleTime: EVERY_MS / 2,
    // The whole page waits for it: a control plane that does not respond would be waited for twice.
    retry: false,
    refetchInterval: ({ state }) => {
      if (state.status === 'error') return HEAL_EVERY_MS
      return state.data?.voting ? EVERY_MS : false
    },
  })
