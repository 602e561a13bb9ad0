import type { VotingRow } from '#contracts/cms-api/rows.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import type { ShownVoting, VotingAnswer } from '#contracts/summary/voting.ts'
import { areResultsShown, shownVoting, votingState, voteRefusal, type OpenedVoting } from '#domain/votings/voting.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { areVotingsKnown, readShownVotings, readVoting } from '../cms/voting-reader.ts'
import type { Context } from '../platform/context.ts'

type Voter = Pick<Caller, 'userId' | 'locale'>
type Opened = OpenedVoting & { readonly row: VotingRow }

const openedOf = (row: VotingRow): Opened => ({
  id: row.id,
  openedAtMs: row.opened_at.getTime(),
  endsAtMs: row.ends_at?.getTime() ?? null,
  optionIds: row.options.map(({ id }) => id),
  row,
})

type Counted = { readonly option_id: string; readonly votes: number; readonly own: boolean }

const READ_VOTES = `
  select option_id, count(*)::int as votes, bool_or(user_id = $2) as own
  from control.votes where voting_id = $1 group by option_id`

/** The voting as its reader may see it. Votes for an option that was removed count for nothing. */
const viewOf = async (sql: Sql, voting: Opened, { reader, nowMs }: { reader: Voter; nowMs: number }) => {
  const { id, row } = voting
  const counted = await sql.query<Counted>(READ_VOTES, [id, reader.userId])
  const votesOf = new Map(counted.map(({ option_id: optionId, votes }) => [optionId, votes]))
  const state = votingState(voting, nowMs)
  const own = counted.find(({ option_id: optionId, own: isOwn }) => isOwn && voting.optionIds.includes(optionId))
  const isShown = areResultsShown({ state, hasVoted: own !== undefined })
  const options = row.options.map(({ id: optionId, text }) => ({
    id: optionId,
    text: text[reader.locale],
    votes: votesOf.get(optionId) ?? 0,
  }))
  return {
    id,
    question: row.question[reader.locale],
    state,
    endsAt: row.ends_at?.toISOString() ?? null,
    ownOption: own?.option_id ?? null,
    votes: options.reduce((sum, { votes }) => sum + votes, 0),
    options: options.map(({ votes, ...option }) => ({ ...option, votes: isShown ? votes : null })),
  } satisfies ShownVoting
}

/** The voting that runs, or the result of the last one. One that ended without a vote has no result. */
export async function readShownVoting(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  reader: Voter,
): Promise<VotingAnswer> {
  const nowMs = clock.now()
  const voting = shownVoting((await readShownVotings(db, nowMs)).map(openedOf), nowMs)
  if (voting === undefined) return { voting: null }
  const view = await viewOf(db, voting, { reader, nowMs })
  return { voting: view.state === 'ended' && view.votes === 0 ? null : view }
}

export type VoteRefusal = NonNullable<ReturnType<typeof voteRefusal>>
type Vote = { readonly caller: Voter; readonly votingId: string; readonly optionId: string }

/** Counts the caller's vote, in place of an earlier one, or says why it does not count. */
export async function castVote(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { caller, votingId, optionId }: Vote,
): Promise<{ ok: true; answer: VotingAnswer } | { ok: false; code: VoteRefusal }> {
  return db.transaction(async (tx) => {
    const row = await readVoting(tx, votingId)
    const voting = row === undefined ? undefined : openedOf(row)
    const nowMs = clock.now()
    const code = voteRefusal(voting, { optionId, nowMs })
    if (code !== undefined || voting === undefined) return { ok: false, code: code ?? 'NOT_FOUND' }
    // The key orders the votes of one person: however many come at once, one row remains.
    await tx.query(
      `insert into control.votes (voting_id, user_id, option_id, voted_at) values ($1, $2, $3, $4)
       on conflict (voting_id, user_id) do update set option_id = excluded.option_id, voted_at = excluded.voted_at`,
      [votingId, caller.userId, optionId, new Date(nowMs)],
    )
    return { ok: true, answer: { voting: await viewOf(tx, voting, { reader: caller, nowMs }) } }
  })
}

/** Removes the votes of votings that staff have removed. A CMS that does not tell which votings there are loses no vote. */
export async function forgetRemovedVotings(sql: Sql): Promise<void> {
  if (!(await areVotingsKnown(sql))) return
  await sql.query(
    'delete from control.votes v where not exists (select from cms_api.voting_ids c where c.id = v.voting_id)',
  )
}
