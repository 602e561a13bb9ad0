import { expect, test } from 'vitest'
import { GRACE_MS, decideRefresh } from '../../../../src/identity/sessions/refresh-decision.ts'

const NOW = 1_000_000
const session = { expiresAtMs: NOW + 1, endedAtMs: null }
const fresh = { expiresAtMs: NOW + 1, usedAtMs: null }

test.each([
  ['a fresh token', { token: fresh, session, successors: 0 }, 'rotate'],
  [
    'one that was used within the grace time',
    { token: { ...fresh, usedAtMs: NOW - GRACE_MS }, session, successors: 1 },
    'repeat',
  ],
  ['one that was used before', { token: { ...fresh, usedAtMs: NOW - GRACE_MS - 1 }, session, successors: 1 }, 'reused'],
  ['one that was traded too often', { token: { ...fresh, usedAtMs: NOW }, session, successors: 5 }, 'reused'],
  ['one past its time', { token: { ...fresh, expiresAtMs: NOW }, session, successors: 0 }, 'expired'],
  ['one of an ended session', { token: fresh, session: { ...session, endedAtMs: 1 }, successors: 0 }, 'expired'],
  [
    'one of a session past its time',
    { token: fresh, session: { ...session, expiresAtMs: NOW }, successors: 0 },
    'expired',
  ],
  ['one that nobody was given', { successors: 0 }, 'unknown'],
] as const)('%s', (_name, state, expected) => {
  expect(decideRefresh(state, NOW)).toBe(expected)
})
