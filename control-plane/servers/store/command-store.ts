import { AgentCommand, type COMMAND_KINDS } from '#contracts/agent/session.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { withPresentQuery } from './present-query.ts'

export type CommandKind = (typeof COMMAND_KINDS)[number]

/** An open command. */
export type OpenCommand = {
  readonly id: string
  readonly serverId: string
  readonly kind: CommandKind
  readonly generation: number
  /** The action of a power command. */
  readonly action: string | null
  readonly state: 'pending' | 'accepted'
  readonly createdAtMs: number
}

/** A command that exceeds or violates the agents' wire format because of its template. */
export type UnreadableCommand = { readonly id: string; readonly serverId: string; readonly problem: string }

export type NewCommand = {
  readonly nodeId: string
  readonly command: AgentCommand
  readonly requestedBy: string | null
}

/**
 * Writes a command, with the present query of the server's template. The process with the node's session delivers it.
 */
export async function insertCommand(
  tx: Sql,
  { nodeId, command, requestedBy }: NewCommand,
  nowMs: number,
): Promise<void> {
  await tx.query(
    `insert into control.commands (id, node_id, server_id, generation, kind, body, request_id, requested_by, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      command.id,
      nodeId,
      command.serverId,
      command.generation,
      command.kind,
      JSON.stringify(await withPresentQuery(tx, command)),
      command.requestId,
      requestedBy,
      new Date(nowMs),
    ],
  )
}

/** Open commands of these servers, oldest first. */
export async function openCommands(sql: Sql, serverIds: readonly string[]): Promise<OpenCommand[]> {
  const rows = await sql.query<{
    id: string
    server_id: string
    kind: CommandKind
    generation: number
    action: string | null
    state: 'pending' | 'accepted'
    created_at: Date
  }>(
    `select id, server_id, kind, generation, body ->> 'action' as action, state, created_at from control.commands
     where server_id = any ($1) and state in ('pending', 'accepted') order by created_at, id`,
    [serverIds],
  )
  return rows.map((row) => ({
    id: row.id,
    serverId: row.server_id,
    kind: row.kind,
    generation: row.generation,
    action: row.action,
    state: row.state,
    createdAtMs: row.created_at.getTime(),
  }))
}

/** Failed commands of a server for its current generation since the last success, one row per kind. */
export async function pastFailures(
  sql: Sql,
  server: { readonly id: string; readonly generation: number },
): Promise<{ kind: CommandKind; count: number; lastAtMs: number }[]> {
  const rows = await sql.query<{ kind: CommandKind; count: bigint; last_at: Date }>(
    `select kind, count(*) as count, max(finished_at) as last_at from control.commands c
     where server_id = $1 and generation = $2 and state = 'failed' and not exists (
       select 1 from control.commands s where s.server_id = c.server_id and s.kind = c.kind and s.state = 'finished'
         and s.finished_at > c.finished_at)
     group by kind`,
    [server.id, server.generation],
  )
  return rows.map((row) => ({ kind: row.kind, count: Number(row.count), lastAtMs: row.last_at.getTime() }))
}

/**
 * Commands not yet sent to this session, oldest first, which are marked as sent to it. A command of an earlier session
 * is sent again: its id makes the repetition harmless (SPEC.md A4). A session without its node's lease gets none,
 * because a frozen process would otherwise take commands from its successor. `unreadable` are those that no agent can
 * parse.
 */
export async function takeUndelivered(
  sql: Sql,
  session: { nodeId: string; sessionId: string },
  nowMs: number,
): Promise<{ commands: AgentCommand[]; unreadable: UnreadableCommand[] }> {
  const rows = await sql.query<{ id: string; server_id: string; body: unknown }>(
    `with due as (
       select id from control.commands
       where node_id = $1 and state in ('pending', 'accepted') and delivered_session is distinct from $2
         and exists (select 1 from control.agent_sessions a where a.node_id = $1 and a.session_id = $2)
       order by created_at, id for update)
     , sent as (update control.commands c set delivered_at = $3, delivered_session = $2 from due where c.id = due.id returning c.body, c.created_at, c.id, c.server_id)
     select id, server_id, body from sent order by created_at, id`,
    [session.nodeId, session.sessionId, new Date(nowMs)],
  )
  const readings = rows.map(({ id, server_id: serverId, body }) => ({
    id,
    serverId,
    parsed: AgentCommand.safeParse(body),
  }))
  return {
    commands: readings.flatMap(({ parsed }) => (parsed.success ? [parsed.data] : [])),
    unreadable: readings.flatMap(({ id, serverId, parsed }) => {
      const [issue] = parsed.error?.issues ?? []
      return parsed.success
        ? []
        : [{ id, serverId, problem: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}` }]
    }),
  }
}

export async function acceptCommand(tx: Sql, nodeId: string, commandId: string): Promise<void> {
  await tx.query(
    `update control.commands set state = 'accepted' where id = $1 and node_id = $2 and state = 'pending'`,
    [commandId, nodeId],
  )
}

export type FinishedCommand = {
  readonly id: string
  readonly serverId: string
  readonly kind: CommandKind
  readonly generation: number
  readonly requestId: string
  readonly requestedBy: string | null
}

/** Ends a command once. Undefined for an unknown command and for one that has already ended. */
export async function finishCommand(
  tx: Sql,
  nodeId: string,
  result: { commandId: string; ok: boolean; code: string; detail: string; atMs: number },
): Promise<FinishedCommand | undefined> {
  const [row] = await tx.query<{
    id: string
    server_id: string
    kind: CommandKind
    generation: number
    request_id: string
    requested_by: string | null
  }>(
    `update control.commands set state = $3, result_code = $4, result_detail = $5, finished_at = $6
     where id = $1 and node_id = $2 and state in ('pending', 'accepted')
     returning id, server_id, kind, generation, request_id, requested_by`,
    [result.commandId, nodeId, result.ok ? 'finished' : 'failed', result.code, result.detail, new Date(result.atMs)],
  )
  return (
    row && {
      id: row.id,
      serverId: row.server_id,
      kind: row.kind,
      generation: row.generation,
      requestId: row.request_id,
      requestedBy: row.requested_by,
    }
  )
}

/** Supersedes open commands of a server, accepted ones too, because a later request makes them pointless. */
export async function supersedeOpenCommands(tx: Sql, serverId: string, nowMs: number): Promise<void> {
  await tx.query(
    `update control.commands set state = 'superseded', finished_at = $2
     where server_id = $1 and state in ('pending', 'accepted')`,
    [serverId, new Date(nowMs)],
  )
}

/** The same for updates only: a newer specification replaces them, whatever the node has done with them. */
export async function supersedeOpenUpdates(tx: Sql, serverId: string, nowMs: number): Promise<void> {
  await tx.query(
    `update control.commands set state = 'superseded', finished_at = $2
     where server_id = $1 and kind = 'update' and state in ('pending', 'accepted')`,
    [serverId, new Date(nowMs)],
  )
}
