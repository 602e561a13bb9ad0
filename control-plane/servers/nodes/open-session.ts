import type { FromAgent, ToAgent } from '#contracts/agent/session.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { observeHello, type Fenced, type ObserveDeps } from '../provisioning/observe.ts'
import { findNode, readEpoch, type NodeRecord } from '../store/node-store.ts'
import { readServers } from '../store/server-store.ts'
import { publicConsoleKeys } from '../access/console-keys.ts'
import { takeLease } from './session-lease.ts'

type Hello = Extract<FromAgent, { type: 'hello' }>
/** Above this the node's clock skew is logged: tokens tolerate 60 s, and logs are ordered by number. */
const CLOCK_WARNING_MS = 5_000

/** The facts needed to check a hello. */
export async function nodeForHello(sql: Sql, nodeId: string): Promise<{ node: NodeRecord | undefined; epoch: number }> {
  return { node: await findNode(sql, nodeId), epoch: await readEpoch(sql) }
}

/**
 * Takes the node's lease and stores the full state of its hello in one transaction (SPEC.md A3, A8). Returns the fenced
 * servers.
 */
export async function openSession(
  deps: Context & ObserveDeps & { holder: string },
  opened: { hello: Hello; sessionId: string; connectedAtMs: number; epoch: number },
): Promise<Fenced> {
  const { hello, sessionId, connectedAtMs } = opened
  const { nodeId } = hello
  const offsetMs = hello.nowMs - connectedAtMs
  if (Math.abs(offsetMs) > CLOCK_WARNING_MS) deps.log.warn({ nodeId, offsetMs }, 'the clock of a node is wrong')
  return deps.db.transaction(async (tx) => {
    await tx.query(
      `update control.nodes set agent_version = $2, runtime = $3, epoch = greatest(epoch, $4), memory_mib = $5,
         storage_mib = $6, cores = $7, clock_offset_ms = $8, last_seen_at = $9, capabilities = $10 where id = $1`,
      [
        nodeId,
        hello.agentVersion,
        hello.runtime,
        opened.epoch,
        hello.resources.memoryMiB,
        hello.resources.storageMiB,
        hello.resources.cores,
        offsetMs,
        new Date(connectedAtMs),
        hello.capabilities ?? [],
      ],
    )
    const lease = { nodeId, sessionId, holder: deps.holder, nowMs: connectedAtMs }
    const { wasReachable } = await takeLease(tx, lease)
    return observeHello(tx, deps, { nodeId, servers: hello.servers, wasReachable })
  })
}

/** The response to a valid hello: keys, origins, and every server that belongs on the node. */
export async function welcomeFor(
  deps: Pick<Context, 'db' | 'clock'> & { siteOrigins: readonly string[] },
  { nodeId, epoch, fenced }: { nodeId: string; epoch: number; fenced: Fenced },
): Promise<ToAgent> {
  const node = await findNode(deps.db, nodeId)
  const servers = await readServers(deps.db, 's.node_id = $1 and s.deleted_at is null order by s.id', [nodeId])
  return {
    type: 'welcome',
    epoch,
    nowMs: deps.clock.now(),
    acknowledgedSeq: node?.acknowledgedSeq ?? 0,
    siteOrigins: [...deps.siteOrigins],
    consoleKeys: await publicConsoleKeys(deps.db),
    answersLogins: true,
    takesPlayers: true,
    servers: servers.map(({ id, generation, suspended, expiresAtMs }) => ({ id, generation, suspended, expiresAtMs })),
    fenced,
  }
}
