import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changesOnlyOwn, PERMISSION_NEEDS, permissionsOf, withNeeds } from '#domain/servers/permissions.ts'
import type { PermissionKey } from '#domain/servers/permissions.ts'
import { isEndRefused, isSamePermissions, neededBy, presetKeys, presetOf, toggled } from '#domain/servers/shares.ts'

const KEYS = Object.keys(PERMISSION_NEEDS) as PermissionKey[]
const someKeys = fc.subarray(KEYS)
const complete = someKeys.map((keys) => withNeeds(keys))
const key = fc.constantFrom(...KEYS)
const isComplete = (keys: readonly PermissionKey[]) =>
  permissionsOf({ owns: false, isAdmin: false, shared: keys })?.length === keys.length

describe('ticking', () => {
  it('keeps a complete set complete, and moves only the key and what hangs on it', () => {
    fc.assert(
      fc.property(complete, key, fc.boolean(), (keys, each, isOn) => {
        const after = toggled(keys, each, isOn)
        expect(isComplete(after)).toBe(true)
        expect(after.includes(each)).toBe(isOn)
        const moved = KEYS.filter((other) => keys.includes(other) !== after.includes(other))
        const hanging = isOn ? PERMISSION_NEEDS[each] : neededBy(each)
        for (const other of moved) expect([each, ...hanging]).toContain(other)
        expect(new Set(after).size).toBe(after.length)
      }),
    )
  })

  it('is its own repetition, and does not undo more than it did where nothing else needs it', () => {
    fc.assert(
      fc.property(complete, key, (keys, each) => {
        const on = toggled(keys, each, true)
        expect(isSamePermissions(toggled(on, each, true), on)).toBe(true)
        const off = toggled(keys, each, false)
        expect(toggled(off, each, false)).toEqual(off)
      }),
    )
  })
})

describe('a preset', () => {
  it('is recognized by its keys in any order, and no other set is', () => {
    fc.assert(
      fc.property(complete, (keys) => {
        const preset = presetOf(keys)
        expect(presetOf(keys.toReversed())).toBe(preset)
        if (preset !== undefined) expect(isSamePermissions(presetKeys(preset), keys)).toBe(true)
      }),
    )
  })
})

describe('nobody gives what they lack', () => {
  it('a change that is allowed differs only by keys of the actor, whatever was before', () => {
    fc.assert(
      fc.property(complete, someKeys, someKeys, (own, before, after) => {
        const [had, has] = [withNeeds(before), withNeeds(after)]
        const differs = KEYS.filter((each) => had.includes(each) !== has.includes(each))
        expect(changesOnlyOwn(own, { before, after })).toBe(differs.every((each) => own.includes(each)))
      }),
    )
  })

  it('nor time: an end that is allowed is the present one, or at most the actor’s own, of keys that are all theirs', () => {
    const end = fc.option(fc.integer({ min: 0, max: 5 }))
    fc.assert(
      fc.property(complete, complete, end, end, end, (own, permissions, ownEndMs, beforeMs, afterMs) => {
        if (isEndRefused({ own, ownEndMs, permissions, beforeMs, afterMs })) return
        const isWithin = ownEndMs === null || (afterMs !== null && afterMs <= ownEndMs)
        const isTheirs = permissions.every((each) => own.includes(each))
        expect(beforeMs === afterMs || (isWithin && isTheirs)).toBe(true)
      }),
    )
  })
})
