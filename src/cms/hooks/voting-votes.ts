import { sql } from '@payloadcms/db-postgres'
import type { FieldHook, PayloadRequest } from 'payload'
import { statementsOf } from './statements.ts'

const KNOWN = 'votesOfVotings'

/** The votes of each option, by the option's id. */
export type OptionVotes = ReadonlyMap<string, number>

/**
 * The votes of a voting, from the control plane's view; a database without it has none. A vote for an option that is gone counts for
 * nobody. It reads on the connection of the change, which therefore needs no second one.
 */
export async function readVotes(req: PayloadRequest, votingId: string): Promise<OptionVotes> {
  const statements = await statementsOf<Record<string, unknown>>(req)
  const there = await statements.execute(sql`select to_regclass('control_api.vote_counts') is not null as there`)
  if (there.rows[0]?.['there'] !== true) return new Map()
  const { rows } = await statements.execute(
    sql`select option_id, votes from control_api.vote_counts where voting_id = ${votingId}::uuid`,
  )
  return new Map(rows.map((row) => [String(row['option_id']), Number(row['votes'])]))
}

/** The options of a voting ask for its votes once together. */
const knownVotes = (req: PayloadRequest, votingId: string): Promise<OptionVotes> => {
  req.context[KNOWN] ??= new Map<string, Promise<OptionVotes>>()
  const known = req.context[KNOWN] as Map<string, Promise<OptionVotes>>
  const votes = known.get(votingId) ?? readVotes(req, votingId)
  known.set(votingId, votes)
  return votes
}

const idOf = (row: unknown): string | undefined => {
  const id: unknown = typeof row === 'object' && row !== null && 'id' in row ? row.id : undefined
  return typeof id === 'string' ? id : undefined
}

/** Adds the votes of an option when its voting is read. */
export const showVotesOfOption: FieldHook = async ({ siblingData, data, req }) => {
  const [id, votingId] = [idOf(siblingData), idOf(data)]
  return id === undefined || votingId === undefined ? 0 : ((await knownVotes(req, votingId)).get(id) ?? 0)
}

/** Adds the votes of all options when a voting is read. */
export const showVotes: FieldHook = async ({ data, req }) => {
  const [options, votingId]: [unknown, string | undefined] = [data?.['options'], idOf(data)]
  if (!Array.isArray(options) || votingId === undefined) return 0
  const votes = await knownVotes(req, votingId)
  return options.reduce<number>((sum, option) => sum + (votes.get(idOf(option) ?? '') ?? 0), 0)
}
