import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ProfileChange } from '../../../../src/contracts/http/user.ts'
import { BILLING_FIELDS } from '#domain/billing/billing-profile.ts'
import { CONTACT_FIELDS, CONTACT_LIMITS, contactFault, tidyText } from '../../../../src/domain/users/contact.ts'
import { ContactForm } from '../../../../src/features/users/settings/contact-schema.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 150 }),
  fc.string({ unit: 'grapheme', maxLength: 150 }),
  fc.stringMatching(/^[ +0-9()A-Za-z-]{0,30}$/),
)
const anyField = fc.constantFrom(...CONTACT_FIELDS)

test('the kept text has no sign that cannot be seen, fits, and is tidy', () => {
  fc.assert(
    fc.property(anyField, anyText, (field, typed) => {
      const parsed = ProfileChange.safeParse({ contact: { [field]: typed } })
      if (!parsed.success) return
      const kept = parsed.data.contact?.[field] ?? ''
      expect(kept).toBe(tidyText(kept))
      expect(kept.length).toBeLessThanOrEqual(CONTACT_LIMITS[field])
      expect(kept).not.toMatch(/[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069\u200B\uFEFF]/u)
    }),
  )
})

test('tidying twice is tidying once', () => {
  fc.assert(fc.property(anyText, (typed) => tidyText(tidyText(typed)) === tidyText(typed)))
})

test('the browser accepts what the wire accepts, and keeps the same', () => {
  const empty = Object.fromEntries([...CONTACT_FIELDS, ...BILLING_FIELDS].map((name) => [name, '']))
  fc.assert(
    fc.property(anyField, anyText, (field, typed) => {
      const form = ContactForm.safeParse({ ...empty, [field]: typed, invoiceType: 'receipt' })
      const wire = ProfileChange.safeParse({ contact: { [field]: typed } })
      expect(form.success).toBe(wire.success)
      if (form.success && wire.success) expect(form.data[field]).toBe(wire.data.contact?.[field])
    }),
  )
})

test('an accepted phone number has 6 to 15 digits, however it is written', () => {
  fc.assert(
    fc.property(anyText, (typed) => {
      const text = tidyText(typed)
      if (text === '' || contactFault('phoneNumber', text) !== null) return
      expect(text.replaceAll(/[^0-9]/g, '').length).toBeGreaterThanOrEqual(6)
      expect(text.replaceAll(/[^0-9]/g, '').length).toBeLessThanOrEqual(15)
    }),
  )
})
