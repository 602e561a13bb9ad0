import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ACTIVITY_GROUPS } from '../../../../src/domain/servers/activity-groups.ts'
import {
  hiddenGroups,
  missingForDetails,
  originSeen,
  readableGroups,
  type ActivityReader,
} from '../../../../src/domain/servers/activity-reading.ts'
import { PERMISSION_NEEDS, type PermissionKey } from '../../../../src/domain/servers/permissions.ts'

const KEYS = Object.keys(PERMISSION_NEEDS) as PermissionKey[]
const reader = (changes: Partial<ActivityReader> = {}): ActivityReader => ({
  userId: 'anna',
  owns: false,
  isAdmin: false,
  permissions: ['activity.view'],
  ...changes,
})
const anyReader = fc.record({
  userId: fc.constantFrom('anna', 'bela'),
  owns: fc.boolean(),
  isAdmin: fc.boolean(),
  permissions: fc.subarray(KEYS),
})
const anyGroup = fc.constantFrom(...ACTIVITY_GROUPS, 'other' as const)

describe('details of activities', () => {
  test('the owner and administrators see all of them, and no group is hidden from them', () => {
    for (const changes of [{ owns: true }, { isAdmin: true }]) {
      expect(readableGroups(reader(changes))).toEqual(ACTIVITY_GROUPS)
      expect(hiddenGroups(reader(changes))).toEqual([])
      expect(missingForDetails('other', reader(changes))).toBeNull()
    }
  })

  test('a member needs the permission of the place, and never sees the contract or an unknown type', () => {
    expect(missingForDetails('console', reader())).toBe('console.read')
    expect(missingForDetails('files', reader())).toBe('file.list')
    expect(missingForDetails('files', reader({ permissions: ['activity.view', 'file.list'] }))).toBeNull()
    expect(missingForDetails('power', reader())).toBeNull()
    expect(missingForDetails('contract', reader({ permissions: KEYS }))).toBe('owner')
    expect(missingForDetails('other', reader({ permissions: KEYS }))).toBe('owner')
    expect(hiddenGroups(reader({ permissions: KEYS }))).toEqual(['contract'])
  })

  test('another permission never hides anything', () => {
    fc.assert(
      fc.property(anyReader, anyGroup, fc.constantFrom(...KEYS), (one, group, key) => {
        const more = { ...one, permissions: [...one.permissions, key] }
        if (missingForDetails(group, one) === null) expect(missingForDetails(group, more)).toBeNull()
      }),
    )
  })
})

describe('addresses', () => {
  const member = { userId: 'bela', isStaff: false }
  const staff = { userId: 'cili', isStaff: true }

  test('everybody sees their own, and administrators all', () => {
    expect(originSeen(reader(), { userId: 'anna', isStaff: false })).toBe('address')
    for (const actor of [member, staff]) expect(originSeen(reader({ isAdmin: true }), actor)).toBe('address')
  })

  test('the owner sees the place of members, and of staff nothing', () => {
    expect(originSeen(reader({ owns: true }), member)).toBe('place')
    expect(originSeen(reader({ owns: true }), staff)).toBe('nothing')
  })

  test('a member sees nobody else’s, whatever their permissions', () => {
    expect(originSeen(reader({ permissions: KEYS }), member)).toBe('nothing')
    fc.assert(
      fc.property(anyReader, fc.boolean(), (one, isStaff) => {
        const seen = originSeen(one, { userId: 'dora', isStaff })
        if (!one.isAdmin) expect(seen).not.toBe('address')
      }),
    )
  })
})
