import { describe, expect, it } from 'vitest'
import {
  awaitsFactor,
  grantsOf,
  lostByRoleChange,
  rankOf,
  refuseAssignment,
  refuseRoleChange,
} from '#domain/users/roles.ts'
import type { Actor, RoleFlags } from '#domain/users/roles.ts'

const role = (id: string, change: Partial<RoleFlags> = {}): RoleFlags => ({
  id,
  isAdmin: false,
  isSupport: false,
  active: true,
  twoFactorRequired: false,
  ...change,
})
const admin = role('admin', { isAdmin: true })
const support = role('support', { isSupport: true })
const plain = role('plain')
const actorWith = (...roles: RoleFlags[]): Actor => ({
  roleIds: roles.map(({ id }) => id),
  grants: grantsOf(roles, true),
})

describe('what roles grant', () => {
  it.each([
    ['an active role', admin, false, { isAdmin: true, isSupport: false }],
    ['an inactive role', { ...admin, active: false }, true, { isAdmin: false, isSupport: false }],
    [
      'a role that asks for a factor, without one',
      { ...admin, twoFactorRequired: true },
      false,
      { isAdmin: false, isSupport: false },
    ],
    [
      'a role that asks for a factor, with one',
      { ...support, twoFactorRequired: true },
      true,
      { isAdmin: false, isSupport: true },
    ],
    [
      'an inactive role that asks for a factor',
      { ...admin, active: false, twoFactorRequired: true },
      true,
      { isAdmin: false, isSupport: false },
    ],
  ] as const)('%s', (_name, given, hasFactor, expected) => {
    expect(grantsOf([given], hasFactor)).toEqual(expected)
  })

  it('is what any of them grants', () => {
    expect(grantsOf([plain, support, admin], false)).toEqual({ isAdmin: true, isSupport: true })
    expect(grantsOf([{ ...admin, twoFactorRequired: true }, support], false)).toEqual({
      isAdmin: false,
      isSupport: true,
    })
    expect(grantsOf([], true)).toEqual({ isAdmin: false, isSupport: false })
  })

  it('orders administrators above support above everybody', () => {
    expect([admin, support, plain].map(rankOf)).toEqual([2, 1, 0])
  })
})

it.each([
  ['nothing is asked', [admin], false, false],
  ['it is asked and there is one', [{ ...admin, twoFactorRequired: true }], true, false],
  ['it is asked and there is none', [{ ...admin, twoFactorRequired: true }], false, true],
  ['a higher role asks, a lower one does not', [support, { ...admin, twoFactorRequired: true }], false, true],
  ['a lower role asks, a higher one does not', [admin, { ...support, twoFactorRequired: true }], false, false],
  ['the role is inactive', [{ ...admin, active: false, twoFactorRequired: true }], false, false],
  ['the role grants nothing', [{ ...plain, twoFactorRequired: true }], false, false],
] as const)('a second factor is waited for: %s', (_name, roles, hasFactor, expected) => {
  expect(awaitsFactor(roles, hasFactor)).toBe(expected)
})

describe('changing a role', () => {
  const other = role('other', { isAdmin: true })

  it.each([
    ['an administrator changes another role', actorWith(admin), { before: other, after: other }, null],
    ['an administrator deletes another role', actorWith(admin), { before: support, after: undefined }, null],
    ['nobody changes their own', actorWith(admin), { before: admin, after: admin }, 'OWN_ROLE'],
    ['nobody deletes their own', actorWith(admin), { before: admin, after: undefined }, 'OWN_ROLE'],
    ['support does not change a higher one', actorWith(support), { before: admin, after: plain }, 'HIGHER_ROLE'],
    ['support does not raise one above itself', actorWith(support), { before: plain, after: admin }, 'HIGHER_ROLE'],
    [
      'a customer changes none that grants something',
      actorWith(plain),
      { before: support, after: support },
      'HIGHER_ROLE',
    ],
  ] as const)('%s', (_name, actor, change, expected) => {
    expect(refuseRoleChange(actor, change)).toBe(expected)
  })
})

describe('giving roles', () => {
  it.each([
    ['an administrator gives and takes any', actorWith(admin), [support], [admin], null],
    ['nobody gives an inactive one', actorWith(admin), [], [{ ...support, active: false }], 'INACTIVE_ROLE'],
    [
      'who has one that became inactive keeps it',
      actorWith(admin),
      [{ ...support, active: false }],
      [{ ...support, active: false }, plain],
      null,
    ],
    ['support gives no administrator', actorWith(support), [], [admin], 'HIGHER_ROLE'],
    ['support takes no administrator away', actorWith(support), [admin], [], 'HIGHER_ROLE'],
    ['support leaves what is higher as it is', actorWith(support), [admin], [admin, plain], null],
  ] as const)('%s', (_name, actor, before, after, expected) => {
    expect(refuseAssignment(actor, { before, after })).toBe(expected)
  })
})

describe('who is allowed less after a role has changed', () => {
  it.each([
    ['everybody', admin, { ...admin, active: false }],
    ['everybody', admin, { ...admin, isAdmin: false }],
    ['everybody', role('both', { isAdmin: true, isSupport: true }), role('both', { isAdmin: true })],
    ['everybody', support, { ...support, isSupport: false, isAdmin: true }],
    ['without a factor', support, { ...support, twoFactorRequired: true }],
    ['nobody', admin, { ...admin, isSupport: true }],
    ['nobody', { ...admin, active: false }, { ...admin, active: false, isAdmin: false }],
    ['nobody', { ...admin, twoFactorRequired: true }, admin],
    ['nobody', plain, { ...plain, active: false, twoFactorRequired: true }],
  ] as const)('%s: %o -> %o', (who, before, after) => {
    expect(lostByRoleChange(before, after)).toBe(who)
  })
})
