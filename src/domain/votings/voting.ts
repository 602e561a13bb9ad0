/** Bounds of a question and an option, and the number of options of a voting. */
export const QUESTION_LENGTH = 160
export const OPTION_LENGTH = 80
export const MIN_OPTIONS = 2
export const MAX_OPTIONS = 10

/** For how many days after its end the result of a voting is shown. */
export const RESULT_DAYS = 7
const DAY_MS = 86_400_000

/** The moment after which a voting must have ended for its result to be shown. */
export const resultsShownSinceMs = (nowMs: number): number => nowMs - RESULT_DAYS * DAY_MS

/** A voting that was opened. Its end is the date that staff gave it, or the moment at which they closed it; null is neither. */
export type OpenedVoting = {
  readonly id: string
  readonly openedAtMs: number
  readonly endsAtMs: number | null
  readonly optionIds: readonly string[]
}

export type VotingState = 'active' | 'ended'

/** Whether people can vote at a moment. No job ends a voting: its end has come or it has not. */
export const votingState = ({ endsAtMs }: Pick<OpenedVoting, 'endsAtMs'>, nowMs: number): VotingState =>
  endsAtMs !== null && endsAtMs <= nowMs ? 'ended' : 'active'

/**
 * The voting that readers see: the one that runs, or else the one that ended last, for a week. Two can seem to run for an instant where
 * the clocks of two machines differ; the newer one counts.
 */
export const shownVoting = <Voting extends OpenedVoting>(
  votings: readonly Voting[],
  nowMs: number,
): Voting | undefined => {
  const newestFirst = votings.toSorted((one, other) => other.openedAtMs - one.openedAtMs)
  const running = newestFirst.find((voting) => votingState(voting, nowMs) === 'active')
  if (running !== undefined) return running
  const endOf = ({ endsAtMs }: Voting) => endsAtMs ?? Number.NEGATIVE_INFINITY
  return newestFirst
    .filter((voting) => endOf(voting) > resultsShownSinceMs(nowMs))
    .toSorted((one, other) => endOf(other) - endOf(one))[0]
}

/** Why a vote is refused, or undefined if it counts. */
export const voteRefusal = (
  voting: OpenedVoting | undefined,
  { optionId, nowMs }: { optionId: string; nowMs: number },
): 'NOT_FOUND' | 'VOTING_ENDED' | 'VOTE_OPTION_GONE' | undefined => {
  if (voting === undefined) return 'NOT_FOUND'
  if (votingState(voting, nowMs) === 'ended') return 'VOTING_ENDED'
  return voting.optionIds.includes(optionId) ? undefined : 'VOTE_OPTION_GONE'
}

/** People who have not voted see no result before the end: it would tell them what to choose. */
export const areResultsShown = ({ state, hasVoted }: { state: VotingState; hasVoted: boolean }): boolean =>
  state === 'ended' || hasVoted

/**
 * The shares of counts in whole per cent. They sum to 100, unless nobody has voted: the largest remainders are rounded up, the earlier
 * option first.
 */
export const sharesOf = (counts: readonly number[]): readonly number[] => {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return counts.map(() => 0)
  const whole = counts.map((count) => Math.floor((count * 100) / total))
  const missing = 100 - whole.reduce((sum, share) => sum + share, 0)
  const raised = counts
    .map((count, at) => ({ at, rest: (count * 100) % total }))
    .toSorted((one, other) => other.rest - one.rest || one.at - other.at)
    .slice(0, missing)
    .map(({ at }) => at)
  return whole.map((share, at) => share + (raised.includes(at) ? 1 : 0))
}
