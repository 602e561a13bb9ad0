import { expect, it } from 'vitest'
import { readOnlyReason } from '../../../../src/domain/servers/read-only.ts'

it.each([
  [false, 1_001, null],
  // The time of expiry belongs to the next phase.
  [false, 1_000, 'expired'],
  [true, 1_001, 'suspended'],
  [true, 1, 'suspended'],
])('a server that is suspended %s and expires at %i is %s at 1000', (suspended, expiresAtMs, reason) => {
  expect(readOnlyReason({ suspended, expiresAtMs }, 1_000)).toBe(reason)
})
