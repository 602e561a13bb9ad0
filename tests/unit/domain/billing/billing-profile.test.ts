import { describe, expect, it } from 'vitest'
import { billingFault, canBeInvoiced } from '#domain/billing/billing-profile.ts'

describe('billingFault', () => {
  it.each([
    ['country', ''],
    ['country', 'HU'],
    ['company', 'Őrült Űrhajó Kft.'],
    ['taxNumber', '12345678-2-42'],
    ['taxNumber', 'ATU12345678'],
    ['taxNumber', '02345678-2-42'],
    ['taxNumber', '7'],
  ] as const)('takes %s %j', (field, text) => expect(billingFault(field, text)).toBeNull())

  it.each([
    ['country', 'hu', 'invalid'],
    ['country', 'HUN', 'tooLong'],
    ['company', 'a'.repeat(121), 'tooLong'],
    ['company', 'A\u202EB', 'invalid'],
    ['taxNumber', '<b>', 'invalid'],
    ['taxNumber', '-2345678-2-42', 'invalid'],
    ['taxNumber', '12345678-', 'invalid'],
    ['taxNumber', '1'.repeat(21), 'tooLong'],
  ] as const)('refuses %s %j', (field, text, fault) => expect(billingFault(field, text)).toBe(fault))
})

describe('canBeInvoiced', () => {
  const complete = {
    firstName: 'Panni',
    lastName: '',
    company: '',
    streetAndHouseNumber: 'Fő utca 1.',
    postalCode: '1000',
    city: 'Budapest',
  }

  it('needs a name of a person or a company, and a whole address', () => {
    expect(canBeInvoiced(complete)).toBe(true)
    expect(canBeInvoiced({ ...complete, firstName: '', company: 'Minta Kft.' })).toBe(true)
    expect(canBeInvoiced({ ...complete, firstName: ' ' })).toBe(false)
    for (const field of ['streetAndHouseNumber', 'postalCode', 'city'] as const)
      expect(canBeInvoiced({ ...complete, [field]: '' }), field).toBe(false)
  })
})
