import { Vote, VotingAnswer, VotingPath } from '../summary/voting.ts'

/** Rows of the API table: the voting on the summary. */
export const VOTING_ROUTES = {
  'GET /api/voting': {
    summary: 'Get the current voting, or the result of the last one',
    auth: 'user',
    limit: 'read',
    call: 'voting',
    output: VotingAnswer,
  },
  'POST /api/voting/{id}/vote': {
    summary: 'Vote, or change your vote, until the voting ends',
    auth: 'user',
    limit: 'settings',
    path: VotingPath,
    input: Vote,
    call: 'vote',
    idAs: 'votingId',
    output: VotingAnswer,
  },
} as const
