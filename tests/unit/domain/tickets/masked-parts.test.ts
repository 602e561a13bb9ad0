import { expect, test } from 'vitest'
import { maskedParts } from '#domain/tickets/masked-parts.ts'
import { contextLines } from '#domain/tickets/server-context.ts'

test('every address, e-mail address and key that was taken out of lines is counted, also several in one', () => {
  const lines = contextLines([
    'Done (3.2s)',
    'from 203.0.113.9 to 203.0.113.10',
    'mail anna@example.com',
    `key sk_${'a1'.repeat(9)}`,
  ])
  expect(lines.slice(1)).toEqual(['from [ip] to [ip]', 'mail [e-mail]', 'key [token]'])
  expect(maskedParts(lines)).toBe(4)
  expect(maskedParts(['Done (3.2s)', ''])).toBe(0)
})
