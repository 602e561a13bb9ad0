import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemIds } from '#platform/ids.ts'
import { pastFailures } from '../../../control-plane/servers/store/command-store.ts'
import { addNode, addServer } from '../../factories/fleet.ts'
import { platformDatabase, type PlatformDatabase } from '../../factories/platform-database.ts'

const START_MS = Date.UTC(2026, 5, 1)

let database: PlatformDatabase
let nodeId: string
beforeAll(async () => {
  database = await platformDatabase()
  ;({ nodeId } = await addNode(database.owner, 'http://node.test:8080'))
})
afterAll(() => database.close())

type Ended = { kind?: string; state: 'failed' | 'finished'; generation?: number }
/** A server whose commands ended a minute after one another, in this order. */
const serverWith = async (ended: readonly Ended[]) => {
  const { id } = await addServer(database.owner, nodeId, { installed: true })
  for (const [minute, { kind = 'install', state, generation = 1 }] of ended.entries()) {
    const at = new Date(START_MS + minute * 60_000)
    await database.owner.query(
      `insert into control.commands (id, server_id, node_id, kind, generation, body, state, created_at, finished_at, request_id)
       values ($1, $2, $3, $4, $5, '{}', $6, $7, $7, 'r')`,
      [systemIds.next(), id, nodeId, kind, generation, state, at],
    )
  }
  return { id, generation: 1 }
}
const failed = { state: 'failed' } as const
const finished = { state: 'finished' } as const

it('the failures of a command are counted, up to the last one', async () => {
  expect(await pastFailures(database.db, await serverWith([failed, failed, failed]))).toEqual([
    { kind: 'install', count: 3, lastAtMs: START_MS + 120_000 },
  ])
})

it('a success ends the count: only later failures remain', async () => {
  expect(await pastFailures(database.db, await serverWith([failed, failed, finished, failed]))).toEqual([
    { kind: 'install', count: 1, lastAtMs: START_MS + 180_000 },
  ])
  expect(await pastFailures(database.db, await serverWith([failed, failed, finished]))).toEqual([])
})

it('each kind of command has its own count, and only the current generation is counted', async () => {
  const server = await serverWith([
    { ...failed, generation: 2 },
    { ...failed, kind: 'update' },
    { ...finished, kind: 'update' },
    failed,
    { ...failed, kind: 'power' },
    failed,
  ])
  const counts = await pastFailures(database.db, server)
  expect(counts.toSorted((a, b) => (a.kind < b.kind ? -1 : 1))).toEqual([
    { kind: 'install', count: 2, lastAtMs: START_MS + 300_000 },
    { kind: 'power', count: 1, lastAtMs: START_MS + 240_000 },
  ])
})
