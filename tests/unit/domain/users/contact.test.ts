import { expect, test } from 'vitest'
import { CONTACT_LIMITS, contactFault, tidyText } from '../../../../src/domain/users/contact.ts'
import type { ContactFault, ContactField } from '../../../../src/domain/users/contact.ts'

const RIGHT: readonly (readonly [ContactField, string])[] = [
  ['firstName', ''],
  ['firstName', 'Ödön'],
  ['lastName', "O'Brien-Szűcs"],
  ['firstName', '\u0645\u06CC\u200C\u062E'],
  ['streetAndHouseNumber', 'Kossuth Lajos utca 12/B, 3. em. 4.'],
  ['postalCode', '1051'],
  ['postalCode', 'SW1A 1AA'],
  ['postalCode', '00-950'],
  ['city', 'Székesfehérvár'],
  ['phoneNumber', '+36 (30) 123-45/67'],
  ['phoneNumber', '061234'],
  ['phoneNumber', '+123456789012345'],
]
const WRONG: readonly (readonly [ContactField, string, ContactFault])[] = [
  ['firstName', 'a'.repeat(CONTACT_LIMITS.firstName + 1), 'tooLong'],
  ['firstName', 'Anna\nBcc: x', 'invalid'],
  ['firstName', 'Anna\u0000', 'invalid'],
  ['lastName', 'abc\u202Egnp.exe', 'invalid'],
  ['lastName', 'a\u2066b', 'invalid'],
  ['city', 'a\u200Bb', 'invalid'],
  ['city', 'a\uD800', 'invalid'],
  ['city', 'a\u2028b', 'invalid'],
  ['postalCode', '-1051', 'invalid'],
  ['postalCode', '1051;', 'invalid'],
  ['phoneNumber', '12345', 'invalid'],
  ['phoneNumber', '+1234567890123456', 'invalid'],
  ['phoneNumber', '36+301234567', 'invalid'],
  ['phoneNumber', 'call me 1234567', 'invalid'],
]

test.each(RIGHT)('%s %j is right', (field, text) => {
  expect(contactFault(field, text)).toBeNull()
})

test.each(WRONG)('%s %j is %s', (field, text, fault) => {
  expect(contactFault(field, text)).toBe(fault)
})

test('space around a text goes, and letters are composed', () => {
  expect(tidyText(' \t A\u0301gnes \u00A0')).toBe('Ágnes')
})
