import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isReason } from '#domain/billing/staff-reason.ts'

it.each(['Kétnapos leállás', 'Ausfall über Tage', 'два дня простоя', 'a'.repeat(10), 'a'.repeat(500)])(
  'takes the letters of %s',
  (text) => expect(isReason(text)).toBe(true),
)

it.each(['', 'too short', '1234567890', '1234567890 ...... 1234', '          a          ', 'a'.repeat(501)])(
  'does not take %s',
  (text) => expect(isReason(text)).toBe(false),
)

it('says the same of a text and of what is kept of it', () => {
  // A letter and its mark apart are one letter, and the space around a text is none of it.
  expect(isReason('e\u0301'.repeat(9))).toBe(false)
  expect(isReason(`${' '.repeat(600)}${'e\u0301'.repeat(500)}`)).toBe(true)
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 600 }), (text) => {
      expect(isReason(` ${text.normalize('NFD')} `)).toBe(isReason(text))
    }),
  )
})
