import { createHash } from 'node:crypto'
import { ENROLMENT_TOKEN_MINUTES, type EnrolmentAnswer, type EnrolmentRequest } from '#contracts/agent/enrolment.ts'
import type { Context } from '../../platform/context.ts'
import type { EventBus } from '../../platform/event-bus.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { isTakenValue } from '#platform/postgres/sql-state.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readComputer } from '../../cms/cms-reader.ts'

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Creates the token with which one agent enrols as this computer, once, within 15 minutes. Only its hash is stored. */
export async function createEnrolmentToken(
  { db, clock, ids }: Pick<Context, 'db' | 'clock' | 'ids'>,
  computerId: string,
): Promise<{ ok: true; token: string; expiresAtMs: number } | { ok: false; code: 'NOT_FOUND' }> {
  if (!(await readComputer(db, computerId))) return { ok: false, code: 'NOT_FOUND' }
  const token = Buffer.from(ids.bytes(32)).toString('base64url')
  const nowMs = clock.now()
  const expiresAtMs = nowMs + ENROLMENT_TOKEN_MINUTES * 60_000
  await db.query(
    'insert into control.enrolment_tokens (token_hash, computer_id, expires_at, created_at) values ($1, $2, $3, $4)',
    [hashOf(token), computerId, new Date(expiresAtMs), new Date(nowMs)],
  )
  return { ok: true, token, expiresAtMs }
}

export type EnrolDeps = Pick<Context, 'db' | 'clock' | 'ids' | 'log' | 'faults'> & { bus: EventBus; metrics: Metrics }
export type EnrolmentRefusal = { readonly ok: false; readonly code: 'INVALID_TOKEN' | 'KEY_IN_USE' }
type Enrolled = { readonly ok: true; readonly value: EnrolmentAnswer }

/**
 * Exchanges a token for a node id. A computer that enrols again keeps its node id and servers, its old key becomes
 * invalid, and its events restart from one. A key enrolled by another computer is refused with KEY_IN_USE, and the
 * token stays valid: two machines with one key would end each other's sessions for ever. SPEC.md A2, A20.
 */
export async function enrolNode(deps: EnrolDeps, request: EnrolmentRequest): Promise<Enrolled | EnrolmentRefusal> {
  const answer = await deps.db
    .transaction((tx) => takeToken(tx, deps, request))
    .catch((error: unknown): EnrolmentRefusal => {
      // The key is the only value that can collide with another node; the token is unchanged.
      if (isTakenValue(error)) return { ok: false, code: 'KEY_IN_USE' }
      throw error
    })
  const { hostname } = request
  if (!answer.ok) {
    if (answer.code === 'KEY_IN_USE') {
      deps.metrics.agentAlarms.inc({ kind: 'key-in-use' })
      deps.log.error({ hostname }, 'an agent wanted to enrol with the key of another computer')
    } else deps.log.warn({ hostname }, 'an enrolment was refused')
    return answer
  }
  const { nodeId } = answer.value
  deps.log.info({ nodeId, hostname }, 'a node enrolled')
  await deps.bus.publish({ topic: 'agent-superseded', data: { nodeId, sessionId: deps.ids.next() } })
  return answer
}

async function takeToken(tx: Sql, deps: EnrolDeps, request: EnrolmentRequest): Promise<Enrolled | EnrolmentRefusal> {
  const now = new Date(deps.clock.now())
  const [token] = await tx.query<{ computer_id: string }>(
    `update control.enrolment_tokens set used_at = $2 where token_hash = $1 and used_at is null and expires_at > $2
     returning computer_id`,
    [hashOf(request.token), now],
  )
  const computer = token && (await readComputer(tx, token.computer_id))
  if (!computer) return { ok: false, code: 'INVALID_TOKEN' }
  await deps.faults('enrol.after-token')
  const [node] = await tx.query<{ id: string; name: string }>(
    `insert into control.nodes (id, computer_id, public_key, name, agent_version, memory_mib, storage_mib, cores, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (computer_id) do update set public_key = excluded.public_key, name = excluded.name,
       agent_version = excluded.agent_version, acknowledged_seq = 0
     returning id, name`,
    [
      deps.ids.next(),
      computer.id,
      request.publicKey,
      computer.name,
      request.agentVersion,
      computer.available_memory_mib,
      computer.storage_mib,
      computer.cores,
      now,
    ],
  )
  if (!node) throw new Error('The node was not written.')
  await tx.query('delete from control.agent_sessions where node_id = $1', [node.id])
  return { ok: true, value: { nodeId: node.id, name: node.name } }
}
