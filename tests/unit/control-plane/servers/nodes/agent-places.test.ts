import { expect, test } from 'vitest'
import { AgentPlaces } from '../../../../../control-plane/servers/nodes/agent-places.ts'

const NOW_MS = Date.UTC(2026, 5, 1)

test.each([
  ['dashes', '-'.repeat(36)],
  ['digits without dashes', 'a'.repeat(36)],
  ['dashes at other places', '01890000-0000-7000-80000-00000000001'],
])('a proof that names no node but %s reads no database', async (_, nodeId) => {
  const asked: string[] = []
  const query = (statement: string): Promise<never> => {
    asked.push(statement)
    return Promise.reject(new Error('invalid input syntax for type uuid'))
  }
  const db = { query, transaction: () => Promise.reject(new Error('No transaction is needed.')) } as never
  const places = new AgentPlaces({ db, clock: { now: () => NOW_MS } })
  expect(await places.provenNode(`${nodeId}.${NOW_MS}.signature`, '192.0.2.1')).toBeUndefined()
  expect(asked).toEqual([])
})
