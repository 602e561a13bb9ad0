import { expect, test } from 'vitest'
import { isAlive, SERVER_STATES } from '#domain/servers/server-lifecycle.ts'

test('a server has a process while it starts, runs and stops, and in no other state', () => {
  expect(SERVER_STATES.filter(isAlive)).toEqual(['starting', 'running', 'stopping'])
})
