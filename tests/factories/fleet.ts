import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { AGENT_CAPABILITIES } from '#contracts/agent/session.ts'
import type { ServerSpec } from '#contracts/agent/server-spec.ts'
import type { ServerState } from '#domain/servers/server-lifecycle.ts'
import { identifierFrom } from '#domain/kernel/identifier.ts'
import { systemIds } from '#platform/ids.ts'
import type { Database } from '#platform/postgres/database.ts'

const HOUR_MS = 3_600_000

export type FleetNode = { readonly nodeId: string; readonly computerId: string; readonly privateKey: KeyObject }

/** A computer in the CMS. */
export async function addComputer(owner: Database, url = 'http://127.0.0.1:8080'): Promise<string> {
  const id = systemIds.next()
  await owner.query(
    `insert into cms_api.computers (id, name, ip, url, available_memory_mib, storage_mib, cores, start_port, port_count)
     values ($1, $2, '127.0.0.1', $3, 16384, 100000, 8, 25000, 100)`,
    [id, `node ${id}`, url],
  )
  return id
}

/** A computer whose agent has enrolled, and can what a present one can. */
export async function addNode(owner: Database, url?: string): Promise<FleetNode> {
  const computerId = await addComputer(owner, url)
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const nodeId = systemIds.next()
  await owner.query(
    `insert into control.nodes (id, computer_id, public_key, name, memory_mib, storage_mib, cores, created_at, capabilities)
     values ($1, $2, $3, 'node', 16384, 100000, 8, now(), $4)`,
    [nodeId, computerId, publicKey.export({ format: 'jwk' }).x, AGENT_CAPABILITIES],
  )
  return { nodeId, computerId, privateKey }
}

export type ServerOptions = {
  readonly ownerId?: string
  readonly state?: ServerState
  readonly installed?: boolean
  readonly desired?: 'installed' | 'deleted'
  readonly power?: 'running' | 'stopped'
  readonly suspended?: boolean
  readonly generation?: number
  readonly observedGeneration?: number
  readonly expiresAtMs?: number
  /** Differences of its specification. */
  readonly spec?: Partial<ServerSpec>
}

export function serverSpec(id: string, generation = 1): ServerSpec {
  return {
    id,
    identifier: identifierFrom(systemIds.bytes(32)) ?? 'acdefghj',
    generation,
    name: 'Test',
    image: null,
    install: [{ argv: ['node', '--version'] }],
    startup: { argv: ['node', 'server.js'] },
    doneTexts: ['Done'],
    stop: { kind: 'command', line: 'stop' },
    stopTimeoutMs: 5_000,
    environment: {},
    allocations: [{ ip: '127.0.0.1', port: 25_000, primary: true }],
    limits: { cpuPercent: 100, memoryMiB: 1_024, storageMiB: 2_048, pids: 256 },
    suspended: false,
  }
}

/** A server on a node, as if left by an order or an earlier process. */
export async function addServer(
  owner: Database,
  nodeId: string,
  options: ServerOptions = {},
): Promise<{ id: string; ownerId: string }> {
  const id = systemIds.next()
  const ownerId = options.ownerId ?? systemIds.next()
  const generation = options.generation ?? 1
  const spec = { ...serverSpec(id, generation), ...options.spec }
  await owner.query(
    `insert into control.servers (id, identifier, owner_id, node_id, service_id, template_id, name, generation, desired,
       desired_power, spec, service_name, cpu_percent, memory_mib, storage_mib, monthly_price_ft, suspended, expires_at, created_at)
     values ($1, $2, $3, $4, $5, $5, 'Test', $6, $7, $8, $9, '{"en":"S","hu":"S","de":"S"}', 100, 1024, 2048, 990, $10, $11, now())`,
    [
      id,
      spec.identifier,
      ownerId,
      nodeId,
      systemIds.next(),
      generation,
      options.desired ?? 'installed',
      options.power ?? 'running',
      JSON.stringify(spec),
      options.suspended ?? false,
      new Date(options.expiresAtMs ?? Date.now() + 30 * 86_400_000),
    ],
  )
  await owner.query(
    `insert into control.server_state (server_id, state, observed_generation, installed, since, updated_at)
     values ($1, $2, $3, $4, now(), now())`,
    [id, options.state ?? 'creating', options.observedGeneration ?? generation, options.installed ?? false],
  )
  return { id, ownerId }
}

/** A living session of the node, held by no process of this test: it lasts for as long as a test takes. */
export async function makeReachable(owner: Database, nodeId: string, atMs = Date.now() + HOUR_MS): Promise<void> {
  await owner.query(
    `insert into control.agent_sessions (node_id, session_id, holder, connected_at, renewed_at) values ($1, $2, 'test', $3, $3)
     on conflict (node_id) do update set renewed_at = excluded.renewed_at, lost_at = null`,
    [nodeId, systemIds.next(), new Date(atMs)],
  )
}
