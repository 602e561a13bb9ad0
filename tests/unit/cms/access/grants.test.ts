import { describe, expect, it } from 'vitest'
import { hasStaffGrants, worksOnCategory } from '../../../../src/cms/access/grants.ts'

describe('hasStaffGrants', () => {
  it.each([
    [{ grants: { isAdmin: true, isSupport: false } }, true],
    [{ grants: { isAdmin: false, isSupport: true } }, true],
    [{ grants: { isAdmin: false, isSupport: false } }, false],
    [{ grants: { isAdmin: 'true', isSupport: 1 } }, false],
    [{ isAdmin: true }, false],
    [null, false],
  ])('of %j is %s', (user, expected) => {
    expect(hasStaffGrants(user)).toBe(expected)
  })
})

describe('worksOnCategory', () => {
  const grants = { isAdmin: false, isSupport: true }
  it.each([
    ['an administrator, on all', { grants: { isAdmin: true, isSupport: false } }, true],
    ['support, on those of its roles', { grants, ticketCategoryIds: ['one', 'billing'] }, true],
    ['support without the category', { grants, ticketCategoryIds: ['one'] }, false],
    ['support without categories', { grants }, false],
    [
      'a customer, whatever else the account says',
      { grants: { isAdmin: false, isSupport: false }, ticketCategoryIds: ['billing'] },
      false,
    ],
    ['nobody', null, false],
  ])('%s', (_name, user, expected) => {
    expect(worksOnCategory(user, 'billing')).toBe(expected)
  })
})
