import { VotingRow } from '#contracts/cms-api/rows.ts'
import type { Sql } from '#platform/postgres/database.ts'

const SELECT = 'select id, question, options, opened_at, ends_at from cms_api.votings'

/** Every voting that was ever opened. */
export async function readVotings(sql: Sql): Promise<VotingRow[]> {
  return (await sql.query(SELECT)).map((row) => VotingRow.parse(row))
}

export async function readVoting(sql: Sql, id: string): Promise<VotingRow | undefined> {
  const [row] = await sql.query(`${SELECT} where id = $1`, [id])
  return row && VotingRow.parse(row)
}
