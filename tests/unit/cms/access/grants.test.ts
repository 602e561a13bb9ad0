import { describe, expect, it } from 'vitest'
import { hasStaffGrants } from '../../../../src/cms/access/grants.ts'

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
