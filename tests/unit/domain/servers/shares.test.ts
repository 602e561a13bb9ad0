import { describe, expect, it } from 'vitest'
import { permissionsOf } from '#domain/servers/permissions.ts'
import {
  canAccept,
  hasSeat,
  invitationEndMs,
  isEndRefused,
  presetKeys,
  presetOf,
  SHARE_PRESET_NAMES,
} from '#domain/servers/shares.ts'

describe('the presets', () => {
  it('are the four of the specification, each complete and each more than the moderator before it', () => {
    expect(SHARE_PRESET_NAMES).toEqual(['viewer', 'moderator', 'builder', 'coOwner'])
    for (const preset of SHARE_PRESET_NAMES) {
      const shared = presetKeys(preset)
      expect(permissionsOf({ owns: false, isAdmin: false, shared })).toHaveLength(shared.length)
      expect(presetOf(shared)).toBe(preset)
    }
    const isIn = (some: readonly string[], others: readonly string[]) => some.every((key) => others.includes(key))
    expect(isIn(presetKeys('moderator'), presetKeys('builder'))).toBe(true)
    expect(isIn(presetKeys('builder'), presetKeys('coOwner'))).toBe(true)
  })

  it('a viewer changes nothing, and sees neither addresses of people nor passwords', () => {
    for (const key of presetKeys('viewer')) expect(key).toMatch(/\.(?:read|list|view)$/)
    for (const key of ['user.list', 'startup.view', 'database.view-password', 'file.read']) {
      expect(presetKeys('viewer')).not.toContain(key)
    }
  })

  it('below the co-owner nobody manages people, reinstalls, or deletes', () => {
    for (const preset of ['viewer', 'moderator', 'builder'] as const) {
      for (const key of presetKeys(preset)) expect(key).not.toMatch(/^(?:user|settings)\.|\.(?:delete|remove|restore)$/)
    }
  })
})

describe('the places', () => {
  it.each([
    [{ limit: 2, shares: 1, invitations: 0 }, true, true],
    [{ limit: 2, shares: 1, invitations: 1 }, false, true],
    [{ limit: 2, shares: 2, invitations: 0 }, false, false],
    [{ limit: 2, shares: 4, invitations: 1 }, false, false],
    [{ limit: 0, shares: 0, invitations: 0 }, false, false],
  ])('%j', (seats, mayInvite, mayAccept) => {
    expect([hasSeat(seats), canAccept(seats)]).toEqual([mayInvite, mayAccept])
  })

  it('an invitation waits for fourteen days', () => {
    expect(invitationEndMs(1_000)).toBe(1_000 + 14 * 86_400_000)
  })
})

it.each([
  ['an unlimited actor gives any end', { ownEndMs: null, afterMs: null }, false],
  ['a limited one gives no share without an end', { ownEndMs: 5, afterMs: null }, true],
  ['nor a longer one', { ownEndMs: 5, afterMs: 6 }, true],
  ['but one as long as their own', { ownEndMs: 5, afterMs: 5 }, false],
  ['the end of a share with foreign permissions stays', { own: [], ownEndMs: null, beforeMs: 3, afterMs: 4 }, true],
  ['as it was, it is no matter', { own: [], ownEndMs: 1, beforeMs: 4, afterMs: 4 }, false],
] as const)('%s', (_name, change, isRefused) => {
  const given = { own: ['console.read'] as const, permissions: ['console.read'], beforeMs: undefined, ...change }
  expect(isEndRefused(given)).toBe(isRefused)
})
