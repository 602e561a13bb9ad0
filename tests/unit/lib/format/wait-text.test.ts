import { expect, test } from 'vitest'
import { waitText } from '../../../../src/lib/format/wait-text.ts'

const MINUTE_MS = 60_000

// Rounded up: nobody is promised a sooner reply than others got.
test.each([
  [0, 'en', '1 minute'],
  [10.2 * MINUTE_MS, 'en', '11 minutes'],
  [90 * MINUTE_MS, 'en', '90 minutes'],
  [121 * MINUTE_MS, 'en', '3 hours'],
  [47 * 60 * MINUTE_MS, 'en', '47 hours'],
  [49 * 60 * MINUTE_MS, 'en', '3 days'],
  [11 * MINUTE_MS, 'hu', '11 perc'],
  [3 * 60 * MINUTE_MS, 'de', '3 Stunden'],
])('a wait of %i ms is in %s: %s', (waitMs, locale, text) => {
  expect(waitText(waitMs, locale)).toBe(text)
})
