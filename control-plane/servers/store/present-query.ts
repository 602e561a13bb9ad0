import { PlayerQuery } from '#contracts/agent/player-query.ts'
import type { AgentCommand } from '#contracts/agent/session.ts'
import type { Sql } from '#platform/postgres/database.ts'

/**
 * The command with the query that the server's template has now: nobody changes it for one server, and templates get
 * and correct theirs after the order. The specification's own query holds if the template is gone, says nothing that a
 * node would read, or is read through a view that has no query yet.
 */
export async function withPresentQuery(sql: Sql, command: AgentCommand): Promise<AgentCommand> {
  if (!('spec' in command)) return command
  const [found] = await sql.query<{ type: unknown; port: unknown }>(
    `select t.body -> 'query_type' as type, t.body -> 'query_port' as port
     from control.servers s, lateral (select to_jsonb(v) as body from cms_api.templates v where v.id = s.template_id) t
     where s.id = $1 and jsonb_exists(t.body, 'query_type')`,
    [command.serverId],
  )
  if (!found) return command
  const query = PlayerQuery.nullable().safeParse(found.type === null ? null : found)
  return query.success ? { ...command, spec: { ...command.spec, query: query.data } } : command
}
