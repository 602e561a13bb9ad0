import { VotingRow } from '#contracts/cms-api/rows.ts'
import { resultsShownSinceMs } from '#domain/votings/voting.ts'
import type { Sql } from '#platform/postgres/database.ts'

const SELECT = 'select id, question, options, opened_at, ends_at from cms_api.votings'

/** The votings that readers may see at a moment: those that run, and those of which the result is still shown. */
export async function readShownVotings(sql: Sql, nowMs: number): Promise<VotingRow[]> {
  const since = new Date(resultsShownSinceMs(nowMs))
  const rows = await sql.query(`${SELECT} where ends_at is null or ends_at > $1`, [since])
  return rows.map((row) => VotingRow.parse(row))
}

export async function readVoting(sql: Sql, id: string): Promise<VotingRow | undefined> {
  const [row] = await sql.query(`${SELECT} where id = $1`, [id])
  return row && VotingRow.parse(row)
}

/** Whether the CMS tells which votings there are, opened or not. A CMS before votings, or one that went back to then, does not. */
export async function areVotingsKnown(sql: Sql): Promise<boolean> {
  const [row] = await sql.query<{ known: boolean }>(`select to_regclass('cms_api.voting_ids') is not null as known`)
  return row?.known === true
}
