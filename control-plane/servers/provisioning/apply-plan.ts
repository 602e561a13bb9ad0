import type { AgentCommand } from '#contracts/agent/session.ts'
import type { Context } from '../../platform/context.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { enqueue } from '../../platform/outbox-writer.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { insertCommand, openCommands, pastFailures, supersedeOpenCommands } from '../store/command-store.ts'
import { readReach } from '../store/node-store.ts'
import { lockServer, specFor, type ServerRecord } from '../store/server-store.ts'
import type { Plan, Step } from './plan.ts'
import { reconcile } from './reconcile.ts'

export type ProvisioningDeps = Context & { metrics: Metrics }

const UNREACHABLE: Plan = { do: 'nothing', because: 'node-unreachable' }

/**
 * Plans one server on its locked row and writes the next command in the same transaction. Idempotent: an open command
 * is visible under the lock, and the unique index on commands is the second guard against two installations.
 */
export async function reconcileServer(serverId: string, requestId: string, deps: ProvisioningDeps): Promise<Plan> {
  await deps.faults('provision.before-plan')
  const plan = await deps.db.transaction(async (tx) => {
    if (!(await lockServer(tx, serverId))) return UNREACHABLE
    // Open commands are read before the observed state: a command's end does not wait for our lock, and one that ended
    // between the two reads would seem over with its effect missing.
    const inFlight = await openCommands(tx, [serverId])
    const server = await lockServer(tx, serverId)
    if (!server) return UNREACHABLE
    const nowMs = deps.clock.now()
    const { isReachable, isBehind } = await readReach(tx, server.nodeId, nowMs)
    const decided = reconcile({
      desired: {
        id: server.id,
        generation: server.generation,
        desired: server.desired,
        power: server.desiredPower,
        suspended: server.suspended,
        expired: server.expiresAtMs <= nowMs,
        autoStart: server.spec.autoStart ?? true,
      },
      observed: { state: server.state, generation: server.observedGeneration, installed: server.installed },
      nodeReachable: isReachable,
      nodeBehind: isBehind,
      inFlight,
      failures: await pastFailures(tx, server),
      nowMs,
    })
    if (decided.do === 'step') await applyStep(tx, { server, step: decided.step, requestId }, deps)
    return decided
  })
  if (plan.do === 'step') {
    await deps.faults('provision.after-commit')
    deps.metrics.planned.inc({ kind: plan.step.kind })
    deps.log.info({ serverId, requestId, step: plan.step }, 'a command was planned')
  }
  return plan
}

/** The message for one step, with the server's current generation. */
export function commandFor(server: ServerRecord, step: Step, ids: { id: string; requestId: string }): AgentCommand {
  const base = { ...ids, serverId: server.id, generation: server.generation }
  const spec = specFor(server)
  switch (step.kind) {
    case 'install':
      return { ...base, kind: 'install', spec }
    case 'update':
      return { ...base, kind: 'update', spec, installed: server.installed }
    case 'power':
      return { ...base, kind: 'power', action: step.action, spec, paced: step.action === 'start' }
    case 'delete':
      return { ...base, kind: 'delete', tombstone: true }
  }
}

async function applyStep(
  tx: Sql,
  { server, step, requestId }: { server: ServerRecord; step: Step; requestId: string },
  deps: ProvisioningDeps,
): Promise<void> {
  const nowMs = deps.clock.now()
  if (step.kind === 'delete') await supersedeOpenCommands(tx, server.id, nowMs)
  const command = commandFor(server, step, { id: deps.ids.next(), requestId: requestId.slice(0, 64) })
  await insertCommand(tx, { nodeId: server.nodeId, command, requestedBy: null }, nowMs)
  await deps.faults('provision.after-command-row')
  await enqueue(tx, deps, { topic: 'commands-waiting', payload: { nodeId: server.nodeId }, requestId })
}
