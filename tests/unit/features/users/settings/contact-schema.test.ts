import { expect, test } from 'vitest'
import { ContactForm } from '../../../../../src/features/users/settings/contact-schema.ts'

const empty = {
  firstName: '',
  lastName: '',
  streetAndHouseNumber: '',
  postalCode: '',
  city: '',
  phoneNumber: '',
  country: 'HU',
  company: '',
  taxNumber: '',
}
const refused = (form: object): unknown[] => {
  const { error } = ContactForm.safeParse({ ...empty, ...form })
  return error?.issues.map(({ path, message }) => [path[0], message]) ?? []
}

test('an electronic invoice asks for a name and an address', () => {
  expect(refused({ invoiceType: 'electronic' })).toEqual([
    ['lastName', 'neededForInvoice'],
    ['streetAndHouseNumber', 'neededForInvoice'],
    ['postalCode', 'neededForInvoice'],
    ['city', 'neededForInvoice'],
  ])
  const address = { streetAndHouseNumber: 'Őr utca 1.', postalCode: '1111', city: 'Budapest' }
  expect(refused({ invoiceType: 'electronic', ...address })).toEqual([['lastName', 'neededForInvoice']])
  expect(refused({ invoiceType: 'electronic', ...address, company: 'Tükörfúró Bt.' })).toEqual([])
})

test('a receipt needs neither', () => {
  expect(refused({ invoiceType: 'receipt' })).toEqual([])
})
