import { expect, it } from 'vitest'
import { waited } from '../../../../../src/cms/admin/tickets/waiting.ts'

const MINUTE = 60_000
const NOW = Date.UTC(2026, 5, 1, 12)

it.each([
  [0, '1 minute'],
  [59 * MINUTE + 59_000, '59 minutes'],
  [60 * MINUTE, '1 hour'],
  [24 * 60 * MINUTE - 1, '23 hours'],
  [24 * 60 * MINUTE, '1 day'],
  [73 * 60 * MINUTE, '3 days'],
  [-5 * MINUTE, '1 minute'],
])('%i ms are shown as %s', (ms, text) => {
  expect(waited(NOW - ms, NOW, 'en')).toBe(text)
})

it('is in the language of the reader', () => {
  expect([waited(NOW - 2 * 60 * MINUTE, NOW, 'hu'), waited(NOW - 2 * 60 * MINUTE, NOW, 'de')]).toEqual([
    '2 óra',
    '2 Stunden',
  ])
})
