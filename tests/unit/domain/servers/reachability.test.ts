import { expect, test } from 'vitest'
import { isReachableAt, SESSION_LEASE_MS } from '../../../../src/domain/servers/reachability.ts'

test('a node is reachable until its lease ends', () => {
  expect(isReachableAt(1_000, 1_000 + SESSION_LEASE_MS - 1)).toBe(true)
  expect(isReachableAt(1_000, 1_000 + SESSION_LEASE_MS)).toBe(false)
})

test('a node that never connected is not reachable', () => {
  expect(isReachableAt(undefined, 0)).toBe(false)
})
