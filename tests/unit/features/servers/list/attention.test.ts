import { expect, test } from 'vitest'
import { attentionOf, watchedOf } from '../../../../../src/features/servers/list/attention.ts'
import type { ShownWord } from '../../../../../src/domain/servers/status.ts'

const NOW = Date.parse('2026-11-20T10:00:00Z')
const LATER = '2026-12-20T10:00:00Z'
const SOON = '2026-11-22T10:00:00Z'

test.each([
  ['running', LATER, undefined],
  ['running', SOON, 'expiresSoon'],
  ['offline', SOON, 'expiresSoon'],
  ['crashed', SOON, 'crashed'],
  ['error on startup', LATER, 'errorOnStartup'],
  ['expired', '2026-11-19T10:00:00Z', 'expired'],
  ['suspended', SOON, 'suspended'],
  ['nodeoffline', LATER, 'maintenance'],
  ['unknown', LATER, 'maintenance'],
  // The machine is ours to repair; the renewal is the reader's.
  ['nodeoffline', SOON, 'expiresSoon'],
  ['installing', LATER, undefined],
] as const satisfies readonly (readonly [ShownWord, string, unknown])[])(
  '%s until %s: %s',
  (word, expiry, expected) => {
    expect(attentionOf({ word, expiry }, NOW)).toBe(expected)
  },
)

test('the most urgent ones are first, equal ones in the order of the list', () => {
  const server = (name: string, status: 'running' | 'crashed' | 'nodeoffline', expiry = LATER) => ({
    name,
    status,
    expiry,
  })
  const servers = [
    server('machine', 'nodeoffline'),
    server('fine', 'running'),
    server('soon', 'running', SOON),
    server('second crash', 'crashed'),
    server('first crash', 'crashed'),
    server('over', 'running', '2026-11-20T09:00:00Z'),
  ]
  expect(watchedOf(servers, NOW).map(({ server: { name }, kind }) => `${name}: ${kind}`)).toEqual([
    'second crash: crashed',
    'first crash: crashed',
    'over: expired',
    'soon: expiresSoon',
    'machine: maintenance',
  ])
})
