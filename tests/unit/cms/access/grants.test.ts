import { describe, expect, it } from 'vitest'
import { grantsOfRoles, hasStaffGrants } from '../../../../src/cms/access/grants.ts'

const role = (isAdmin: boolean, isSupport: boolean, active: boolean) => ({ isAdmin, isSupport, active })

describe('grantsOfRoles', () => {
  it('joins the flags of active roles', () => {
    expect(grantsOfRoles([role(true, false, true), role(false, true, true)])).toEqual({
      isAdmin: true,
      isSupport: true,
    })
  })

  it('takes nothing from an inactive role', () => {
    expect(grantsOfRoles([role(true, true, false)])).toEqual({ isAdmin: false, isSupport: false })
  })

  it('does not lend the flag of an inactive role to an active one', () => {
    expect(grantsOfRoles([role(true, false, false), role(false, true, true)])).toEqual({
      isAdmin: false,
      isSupport: true,
    })
  })
})

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
