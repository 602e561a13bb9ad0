import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { API_ROUTES } from '#contracts/routes/routes.ts'
import { PanelClientMessage } from '#contracts/panel/messages.ts'
import { PERMISSION_OF_CALL, PERMISSION_OF_MESSAGE, PERMISSIONS } from '#contracts/panel/permissions.ts'
import {
  groupOf,
  PERMISSION_NEEDS,
  permissionsOf,
  readingOnly,
  refuseSeeing,
  refuseShareChange,
  seenTogether,
  withNeeds,
} from '#domain/servers/permissions.ts'
import type { PermissionKey, ShareChange } from '#domain/servers/permissions.ts'

const KEYS = Object.keys(PERMISSION_NEEDS) as PermissionKey[]
const all = { owns: true, isAdmin: false, shared: null }
const sharedWith = (...shared: string[]) => ({ owns: false, isAdmin: false, shared })

describe('the table', () => {
  it('has the keys of the wire, in their order', () => {
    expect(KEYS).toEqual([...PERMISSIONS])
  })

  // Specification section 6, group by group: start, stop, restart; send command, read console; six of files; four of sub-users;
  // five of databases; four of timers; five of backups; four of allocations; three of the start-up; rename; reinstall; audit log.
  it('has each permission of the specification', () => {
    const counts: Record<string, number> = {}
    for (const key of KEYS) counts[groupOf(key)] = (counts[groupOf(key)] ?? 0) + 1
    expect(counts).toEqual({
      control: 3,
      console: 2,
      file: 6,
      user: 4,
      database: 5,
      timer: 4,
      backup: 5,
      allocation: 4,
      startup: 3,
      settings: 2,
      activity: 1,
    })
    expect(KEYS).toHaveLength(39)
  })

  it('needs only what it has, and what a key needs needs nothing that the key does not', () => {
    for (const key of KEYS) {
      const needs: readonly PermissionKey[] = PERMISSION_NEEDS[key]
      for (const need of needs) {
        expect(KEYS).toContain(need)
        for (const further of PERMISSION_NEEDS[need])
          expect([key, needs]).toEqual([key, expect.arrayContaining([further])])
      }
    }
  })

  it('says of each call about a server what it asks for', () => {
    const calls = Object.keys(API_ROUTES).filter((name) => name.includes(' /api/server/{id}'))
    expect(Object.keys(PERMISSION_OF_CALL).toSorted()).toEqual(calls.toSorted())
  })

  it('says of each message on its socket what it asks for, but of the one that brings the token', () => {
    const events = PanelClientMessage.options.map(({ shape }) => shape.event.value).filter((event) => event !== 'auth')
    expect(Object.keys(PERMISSION_OF_MESSAGE).toSorted()).toEqual(events.toSorted())
  })

  it.each(['control-plane/servers/access/server-access.ts', 'src/contracts/control-api/shown-server.ts'])(
    'is the one place: %s decides by it',
    (file) => {
      expect(readFileSync(file, 'utf8')).toMatch(
        /import \{[^}]*\bpermissionsOf\b[^}]*\} from '#domain\/servers\/permissions\.ts'/,
      )
    },
  )
})

describe('what a visitor may do', () => {
  it('is everything for owner and administrator, nothing to know without a share', () => {
    expect(permissionsOf(all)).toEqual(KEYS)
    expect(permissionsOf({ owns: false, isAdmin: true, shared: null })).toEqual(KEYS)
    expect(permissionsOf({ owns: false, isAdmin: false, shared: null })).toBeNull()
  })

  it('is what was ticked, without unknown keys and without what lacks its needs', () => {
    expect(permissionsOf(sharedWith('console.read', 'console.command', 'root', '*'))).toEqual([
      'console.command',
      'console.read',
    ])
    expect(permissionsOf(sharedWith('console.command', 'file.update', 'file.list'))).toEqual(['file.list'])
    expect(permissionsOf(sharedWith())).toEqual([])
  })

  it('is whole when each tick brings what it needs', () => {
    for (const key of KEYS) expect(permissionsOf(sharedWith(...withNeeds([key])))).toContain(key)
    expect(withNeeds(['file.update', 'nothing'])).toEqual(['file.list', 'file.read', 'file.update'])
  })
})

describe('changing a share', () => {
  const change = (given: Partial<ShareChange>): ShareChange => ({
    actor: { userId: 'actor', visitor: all },
    ownerId: 'owner',
    subUserId: 'friend',
    before: null,
    after: ['console.read'],
    ...given,
  })
  const by = (...shared: string[]) => ({ userId: 'actor', visitor: sharedWith(...shared) })

  it.each<[string, Partial<ShareChange>, string | null]>([
    ['the owner gives anything', { actor: { userId: 'owner', visitor: all }, after: KEYS }, null],
    ['a stranger gives nothing', { actor: { userId: 'actor', visitor: { ...all, owns: false } } }, 'FORBIDDEN'],
    ['who may invite gives what they have', { actor: by('user.list', 'user.invite', 'console.read') }, null],
    [
      'who may invite does not change',
      { actor: by('user.list', 'user.invite', 'console.read'), before: [] },
      'FORBIDDEN',
    ],
    ['who may change does not remove', { actor: by('user.list', 'user.update'), before: [], after: null }, 'FORBIDDEN'],
    ['nobody gives more than their own', { actor: by('user.list', 'user.invite') }, 'MORE_THAN_OWN'],
    [
      'nobody gives more by what a tick brings with it',
      { actor: by('user.list', 'user.invite', 'console.command'), after: ['console.command'] },
      'MORE_THAN_OWN',
    ],
    [
      'nobody takes what they could not give',
      { actor: by('user.list', 'user.update'), before: ['console.read'], after: [] },
      'MORE_THAN_OWN',
    ],
    [
      'what stays as it was is no matter',
      {
        actor: by('user.list', 'user.update', 'control.start'),
        before: ['console.read'],
        after: ['console.read', 'control.start'],
      },
      null,
    ],
    [
      'nobody changes their own share',
      { actor: by('user.list', 'user.update'), subUserId: 'actor', before: ['user.list'] },
      'OWN_SHARE',
    ],
    ['everybody may leave', { actor: by(), subUserId: 'actor', before: [], after: null }, null],
    ['the owner has no share', { subUserId: 'owner' }, 'OWNER_HAS_ALL'],
  ])('%s', (_name, given, expected) => {
    expect(refuseShareChange(change(given))).toBe(expected)
  })
})

describe('looking as a collaborator', () => {
  it('leaves the keys that change nothing', () => {
    expect(readingOnly(KEYS)).toEqual([
      'console.read',
      'file.list',
      'file.read',
      'user.list',
      'database.list',
      'timer.view',
      'backup.list',
      'allocation.view',
      'startup.view',
      'activity.view',
    ])
  })

  it('shows what both have, with what it needs, whatever is in the two shares', () => {
    const keys = fc.subarray(KEYS)
    fc.assert(
      fc.property(keys, keys, (one, other) => {
        const [own, theirs] = [permissionsOf(sharedWith(...one)) ?? [], permissionsOf(sharedWith(...other)) ?? []]
        const together = seenTogether(own, other)
        expect(together).toEqual(KEYS.filter((key) => own.includes(key) && theirs.includes(key)))
        expect(permissionsOf(sharedWith(...together))).toEqual(together)
      }),
    )
  })

  const [actorId, ownerId, friendId] = ['actor', 'owner', 'friend']
  const by = (...shared: string[]) => ({ userId: actorId, visitor: sharedWith(...shared) })
  const manager = by('user.list', 'user.update', 'console.read')
  it.each([
    ['the owner looks as anybody', { actor: { userId: ownerId, visitor: all }, shared: KEYS }, null],
    ['a manager looks as somebody with no more', { actor: manager, shared: ['console.read'] }, null],
    ['nobody looks as somebody with more', { actor: manager, shared: ['control.start'] }, 'MORE_THAN_OWN'],
    ['nobody looks as the owner', { actor: manager, subUserId: ownerId }, 'OWNER_HAS_ALL'],
    ['nobody looks as themselves', { actor: manager, subUserId: actorId }, 'OWN_SHARE'],
    ['who does not edit collaborators looks as nobody', { actor: by('user.list', 'user.invite') }, 'FORBIDDEN'],
    ['a stranger looks as nobody', { actor: { userId: actorId, visitor: { ...all, owns: false } } }, 'FORBIDDEN'],
  ] as const)('%s', (_, facts, refusal) => {
    expect(refuseSeeing({ ownerId, subUserId: friendId, shared: [], ...facts })).toBe(refusal)
  })
})
