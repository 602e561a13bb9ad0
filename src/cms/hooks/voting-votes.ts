import { sql } from '@payloadcms/db-postgres'
import type { FieldHook, PayloadRequest } from 'payload'
import { statementsOf } from './statements.ts'

const KNOWN = 'votesOfVotings'

/** The votes of each option, by the option's id. */
export type OptionVotes = ReadonlyMap<string, number>

/**
 * The votes of each voting, from the control plane's view; a database without it has none. The ids of options are unique among all
 * votings, and a vote for an option that is gone counts for nobody. It reads on the connection of the change, which therefore needs no
 * second one.
 */
export async function readVotes(req: PayloadRequest): Promise<OptionVotes> {
  const statements = await statementsOf<Record<string, unknown>>(req)
  const there = await statements.execute(sql`select to_regclass('control_api.vote_counts') is not null as there`)
  if (there.rows[0]?.['there'] !== true) return new Map()
  const { rows } = await statements.execute(sql`select option_id, votes from control_api.vote_counts`)
  return new Map(rows.map((row) => [String(row['option_id']), Number(row['votes'])]))
}

/** A list reads the votes of all of its rows at once. */
const knownVotes = (req: PayloadRequest): Promise<OptionVotes> => {
  req.context[KNOWN] ??= readVotes(req)
  return req.context[KNOWN] as Promise<OptionVotes>
}

const idOf = (row: unknown): string | undefined => {
  const id: unknown = typeof row === 'object' && row !== null && 'id' in row ? row.id : undefined
  return typeof id === 'string' ? id : undefined
}

/** Adds the votes of an option when its voting is read. */
export const showVotesOfOption: FieldHook = async ({ siblingData, req }) => {
  const id = idOf(siblingData)
  return id === undefined ? 0 : ((await knownVotes(req)).get(id) ?? 0)
}

/** Adds the votes of all options when a voting is read. */
export const showVotes: FieldHook = async ({ data, req }) => {
  const options: unknown = data?.['options']
  if (!Array.isArray(options)) return 0
  const votes = await knownVotes(req)
  return options.reduce<number>((sum, option) => sum + (votes.get(idOf(option) ?? '') ?? 0), 0)
}
