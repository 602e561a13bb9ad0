import { CRASH_LINE_LENGTH, STORAGE_EXCEEDED, type AgentEvent, type ObservedServer } from '#contracts/agent/session.ts'
import { crashReport } from '#domain/known-errors/crash-report.ts'
import { isAlive } from '#domain/servers/server-lifecycle.ts'
import type { Context } from '../../platform/context.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { safeDetail } from '../../messages/notices/safe-detail.ts'
import { enqueue } from '../../platform/outbox-writer.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { freeRemovedPorts } from '../ports/free-removed.ts'
import { acceptCommand, finishCommand, openCommands, type FinishedCommand } from '../store/command-store.ts'
import { lockServer, markDeleted, readServers, setDesiredPower, type ServerRecord } from '../store/server-store.ts'
import { staffErrorIn } from '../startup/known-errors.ts'
import { noteStartTime } from '../startup/start-times.ts'
import { noteStart } from '../startup/startup-store.ts'
import { announceStatus } from './announce.ts'
import { adoptedPower } from './adopted-power.ts'
import { tellReinstalled } from './reinstalled.ts'
import { tellTrouble } from './tell-trouble.ts'

/** A node reports these activities when it has refused something. */
const FAILURES: readonly string[] = ['server:sftp.denied']

export type ObserveDeps = Pick<Context, 'clock' | 'ids' | 'log' | 'faults'> & {
  readonly metrics: Metrics
  /**
   * Called in the same transaction when a node has stored a server's specification up to a generation: sizes sold until
   * then are delivered.
   */
  readonly onTaken: (tx: Sql, taken: TakenGeneration) => Promise<void>
}

export type TakenGeneration = { readonly serverId: string; readonly generation: number }

/** Servers that may need a next step now, with the id of the request that caused it. */
export type Touched = { readonly serverId: string; readonly requestId: string }[]

/** Stores one event of a node, inside the transaction that raises the node's acknowledged number. */
export async function observeEvent(
  tx: Sql,
  deps: ObserveDeps,
  from: { nodeId: string; event: AgentEvent },
): Promise<Touched> {
  const { nodeId, event } = from
  switch (event.kind) {
    case 'command.accepted':
      await acceptCommand(tx, nodeId, event.commandId)
      return []
    case 'command.finished':
      return commandFinished(tx, deps, { nodeId, event })
    case 'server.state':
      return serverState(tx, deps, { nodeId, observed: event.server, requestId: event.requestId })
    case 'activity':
      return activity(tx, deps, { nodeId, event })
    case 'node.alarm':
      deps.metrics.agentAlarms.inc({ kind: event.alarm })
      if (event.count !== undefined) deps.metrics.agentEventsDropped.inc(event.count)
      deps.log.error(
        {
          nodeId,
          alarm: event.alarm,
          detail: event.detail,
          ...(event.count === undefined ? {} : { count: event.count }),
        },
        'a node tells of a problem',
      )
      return []
  }
}

async function commandFinished(
  tx: Sql,
  deps: ObserveDeps,
  { nodeId, event }: { nodeId: string; event: Extract<AgentEvent, { kind: 'command.finished' }> },
): Promise<Touched> {
  const { commandId, ok, code, detail } = event
  // Before the command's row, as whoever orders a power action locks them.
  const full = code === STORAGE_EXCEEDED ? await lockServer(tx, event.serverId) : undefined
  const command = await finishCommand(tx, nodeId, { commandId, ok, code, detail, atMs: deps.clock.now() })
  if (!command) return []
  const { serverId, requestId } = command
  if (!ok) deps.log.warn({ nodeId, serverId, requestId, command: command.kind, code, detail }, 'a command failed')
  await deps.faults('observe.command-finished')
  if (command.kind === 'install') {
    const payload = {
      serverId,
      outcome: ok ? 'installed' : 'failed',
      reason: ok ? '' : code || 'INSTALL_FAILED',
    } as const
    await enqueue(tx, deps, { topic: 'order-settle', payload, requestId })
  }
  if (full && full.id === serverId) await restWithoutRoom(tx, full)
  if (command.kind === 'reinstall') await tellReinstalled(tx, deps, { command, ok })
  if (ok) await takeOverGeneration(tx, deps, command)
  if (command.kind === 'delete' && ok) {
    await markDeleted(tx, serverId, deps.clock.now())
    return []
  }
  return [{ serverId, requestId }]
}

/** Without room for its files a server waits for a person. A refused restart left its program running. */
async function restWithoutRoom(tx: Sql, server: ServerRecord): Promise<void> {
  const open = await openCommands(tx, [server.id])
  if (isAlive(server.state) || open.some(({ kind }) => kind === 'power')) return
  await setDesiredPower(tx, server.id, 'stopped')
}

/** A successful command has delivered its specification to the node, even if no state change reports it. */
async function takeOverGeneration(tx: Sql, deps: ObserveDeps, command: FinishedCommand): Promise<void> {
  const { serverId, generation } = command
  await tx.query(
    `update control.server_state set observed_generation = greatest(observed_generation, $2) where server_id = $1`,
    [serverId, generation],
  )
  await freeRemovedPorts(tx, serverId)
  await deps.onTaken(tx, { serverId, generation })
}

type State = { nodeId: string; observed: ObservedServer; requestId: string | null }

async function serverState(tx: Sql, deps: ObserveDeps, { nodeId, observed, requestId }: State): Promise<Touched> {
  const server = await lockServer(tx, observed.id)
  if (!server || server.nodeId !== nodeId) {
    await noteOrphan(tx, deps, { nodeId, observed })
    return []
  }
  const id = requestId ?? ''
  const adopted = adoptedPower(server, observed.state, { requestId, open: await openCommands(tx, [server.id]) })
  if (adopted && adopted !== server.desiredPower) await setDesiredPower(tx, server.id, adopted)
  await writeState(tx, deps, { server, observed, requestId: id, wasReachable: true })
  // Only between two events of a node: between two of its hellos a server may have been started more than once.
  await noteStartTime(tx, {
    serverId: server.id,
    from: { state: server.state, sinceMs: server.stateSinceMs },
    to: { state: observed.state, sinceMs: observed.since },
  })
  return [{ serverId: server.id, requestId: id }]
}

type Written = { server: ServerRecord; observed: ObservedServer; requestId: string; wasReachable: boolean }

/** Stores the observed state and notifies the readers when the shown status changes. */
async function writeState(
  tx: Sql,
  deps: ObserveDeps,
  { server, observed, requestId, wasReachable }: Written,
): Promise<void> {
  await tx.query(
    `insert into control.server_state (server_id, state, observed_generation, exit_code, exit_signal, installed, since, updated_at, exit_oom)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (server_id) do update set state = excluded.state, observed_generation = excluded.observed_generation,
       exit_code = excluded.exit_code, exit_signal = excluded.exit_signal, exit_oom = excluded.exit_oom,
       installed = excluded.installed or excluded.state = 'unknown' and control.server_state.installed,
       since = excluded.since, updated_at = excluded.updated_at`,
    [
      server.id,
      observed.state,
      observed.generation,
      observed.exit?.code ?? null,
      observed.exit?.signal ?? null,
      observed.installed,
      new Date(observed.since),
      new Date(deps.clock.now()),
      observed.exit?.oom ?? false,
    ],
  )
  await noteStart(tx, { serverId: server.id, generation: observed.runningGeneration ?? null })
  await freeRemovedPorts(tx, server.id)
  const { generation } = observed
  if (generation > server.observedGeneration) await deps.onTaken(tx, { serverId: server.id, generation })
  const { suspended } = server
  await announceStatus(tx, deps, {
    serverId: server.id,
    before: { state: server.state, suspended, nodeReachable: wasReachable },
    after: { state: observed.state, suspended, nodeReachable: true },
    requestId,
  })
}

/** SPEC.md A10: a server unknown to the database is recorded for staff and left alone. */
async function noteOrphan(
  tx: Sql,
  deps: ObserveDeps,
  { nodeId, observed }: { nodeId: string; observed: ObservedServer },
) {
  const [row] = await tx.query<{ is_new: boolean }>(
    `insert into control.orphan_servers (node_id, server_id, generation, state, first_seen_at, last_seen_at)
     values ($1, $2, $3, $4, $5, $5)
     on conflict (node_id, server_id) do update set generation = excluded.generation, state = excluded.state,
       last_seen_at = excluded.last_seen_at
     returning first_seen_at = last_seen_at as is_new`,
    [nodeId, observed.id, observed.generation, observed.state, new Date(deps.clock.now())],
  )
  if (row?.is_new) {
    deps.metrics.agentAlarms.inc({ kind: 'orphan' })
    deps.log.error({ nodeId, serverId: observed.id }, 'a node has a server that the database does not know')
  }
}

async function activity(
  tx: Sql,
  deps: ObserveDeps,
  { nodeId, event }: { nodeId: string; event: Extract<AgentEvent, { kind: 'activity' }> },
): Promise<Touched> {
  const [server] = await readServers(tx, 's.id = $1 and s.node_id = $2', [event.serverId, nodeId])
  if (!server) return []
  const { error, lines } = crashReport(event.lines ?? [], CRASH_LINE_LENGTH)
  const staffError = error === undefined ? await staffErrorIn(tx, server.templateId, event.lines ?? []) : undefined
  await tx.query(
    `insert into control.activities (id, user_id, server_id, type, status, detail, created_at, ip_address, way, done_by)
     values ($1, $2, $3, $4, $10, $5, $6, $7, $8, $9)`,
    [
      deps.ids.next(),
      event.userId ?? server.ownerId,
      server.id,
      event.type,
      JSON.stringify({
        text: safeDetail(event.type, event.detail),
        notes: event.notes,
        error,
        staffError,
        lines: event.lines && lines,
      }),
      new Date(event.atMs),
      event.address ?? '',
      event.way ?? null,
      event.userId === null ? 'server' : 'user',
      FAILURES.includes(event.type) ? 'failure' : 'success',
    ],
  )
  await tellTrouble(tx, deps, { server, type: event.type, error, staffError })
  return []
}

/**
 * Stores the full state in a node's hello (SPEC.md A8). One of our servers that it does not list has not been created
 * there yet, or is unknown: never offline (A13). `wasReachable` tells whether readers saw the node as reachable until
 * now. Returns the servers that have moved to another node.
 */
export async function observeHello(
  tx: Sql,
  deps: ObserveDeps,
  hello: { nodeId: string; servers: readonly ObservedServer[]; wasReachable: boolean },
): Promise<Fenced> {
  const listed = new Map(hello.servers.map((server) => [server.id, server]))
  const ours = await readServers(tx, `s.node_id = $1 and (s.deleted_at is null or s.id = any ($2)) order by s.id`, [
    hello.nodeId,
    [...listed.keys()],
  ])
  for (const server of ours) {
    const observed = listed.get(server.id) ?? unlisted(server)
    listed.delete(server.id)
    await writeState(tx, deps, { server, observed, requestId: '', wasReachable: hello.wasReachable })
  }
  for (const observed of listed.values()) await noteOrphan(tx, deps, { nodeId: hello.nodeId, observed })
  await tx.query('delete from control.orphan_servers where node_id = $1 and not (server_id = any ($2))', [
    hello.nodeId,
    [...listed.keys()],
  ])
  return movedServers(tx, deps, { nodeId: hello.nodeId, orphans: [...listed.values()] })
}

/** Servers that were moved to another node under a generation unknown to this node: their copy here must end. */
export type Fenced = { readonly id: string; readonly generation: number }[]

async function movedServers(
  tx: Sql,
  deps: ObserveDeps,
  { nodeId, orphans }: { nodeId: string; orphans: readonly ObservedServer[] },
): Promise<Fenced> {
  const known = await readServers(tx, 's.id = any ($1) and s.node_id <> $2', [orphans.map(({ id }) => id), nodeId])
  const moved = known.filter((server) => {
    const here = orphans.find(({ id }) => id === server.id)
    return here !== undefined && here.generation < server.generation
  })
  for (const { id: serverId, generation, nodeId: to } of moved) {
    deps.metrics.agentAlarms.inc({ kind: 'fenced' })
    deps.log.error({ nodeId, serverId, generation, to }, 'a node has a server that another node has now')
  }
  return moved.map(({ id, generation }) => ({ id, generation }))
}

function unlisted(server: ServerRecord): ObservedServer {
  const keeps = server.state === 'deleted' || server.state === 'install_failed'
  const state = keeps ? server.state : server.installed ? 'unknown' : 'creating'
  const generation = server.observedGeneration
  return { id: server.id, generation, state, exit: null, installed: server.installed, since: server.stateSinceMs }
}
