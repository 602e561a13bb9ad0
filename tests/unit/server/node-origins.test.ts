import { expect, test } from 'vitest'
import { toOrigins } from '../../../src/server/node-origins.ts'

test('a computer is named by its origin, for fetch and for sockets', () => {
  expect(
    toOrigins(['https://node1.test:8080/x', 'wss://node1.test:8080/api/ws/gateway', 'http://127.0.0.1:8080']),
  ).toEqual(['http://127.0.0.1:8080', 'https://node1.test:8080', 'ws://127.0.0.1:8080', 'wss://node1.test:8080'])
})

test('nothing else reaches the policy', () => {
  expect(toOrigins(["*; script-src 'unsafe-inline'", 'javascript:alert(1)', 'data:x', 'https://*', ''])).toEqual([])
})
