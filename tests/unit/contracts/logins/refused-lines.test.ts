import { expect, it } from 'vitest'
import { hasRefusalLine, REFUSED_LINES, REFUSED_LINES_WITHIN_MS } from '#contracts/logins/refused-lines.ts'

it('a refusal has a line while fewer than the bound lie within the hour', () => {
  const nowMs = Date.parse('2026-11-20T20:00:00Z')
  const lately = Array.from({ length: REFUSED_LINES }, (_, at) => nowMs - at)
  expect(hasRefusalLine(lately.slice(1), nowMs)).toBe(true)
  expect(hasRefusalLine(lately, nowMs)).toBe(false)
  expect(hasRefusalLine(lately, nowMs + REFUSED_LINES_WITHIN_MS)).toBe(true)
})
