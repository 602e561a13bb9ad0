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

test.each(['electronic', 'receipt'])(
  'a phone number is saved without an address, whatever document is chosen: %s',
  (invoiceType) => {
    expect(refused({ invoiceType, phoneNumber: '+36 30 123 4567' })).toEqual([])
    expect(refused({ invoiceType, phoneNumber: '12' })).toEqual([['phoneNumber', 'phoneNumber']])
  },
)
