import { expect, test } from 'vitest'
import { freshnessOf, STALE_AFTER_MS } from '../../../../src/contracts/control-api/freshness.ts'

const beaten = '2026-11-20T12:00:00.000+00:00'
const at = Date.parse(beaten)

test('rows that somebody keeps true are of the present and have no age', () => {
  expect(freshnessOf({ beaten_at: beaten, age_ms: STALE_AFTER_MS }, 0)).toEqual({
    presentMs: at + STALE_AFTER_MS,
    asOfMs: at + STALE_AFTER_MS,
    ageSeconds: null,
  })
})

test('rows that nobody keeps true are of the last beat, and say its age in whole seconds', () => {
  expect(freshnessOf({ beaten_at: beaten, age_ms: 61_999 }, 0)).toEqual({
    presentMs: at + 61_999,
    asOfMs: at,
    ageSeconds: 61,
  })
})

test('before the first beat the reader’s own clock counts', () => {
  expect(freshnessOf({ beaten_at: null, age_ms: null }, 7)).toEqual({ presentMs: 7, asOfMs: 7, ageSeconds: null })
})
