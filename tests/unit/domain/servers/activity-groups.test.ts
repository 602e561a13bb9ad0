import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  ACTIVITY_GROUPS,
  ACTIVITY_TYPES,
  groupOfActivity,
  likeActivities,
} from '../../../../src/domain/servers/activity-groups.ts'

/** The rule of PostgreSQL's `like`. */
const isLike = (type: string, pattern: string): boolean =>
  new RegExp(
    `^${pattern
      .replaceAll(
        /\\(.)|([.*+?^${}()|[\]])/g,
        (_all, escaped: string | undefined, sign: string) => `\\${escaped ?? sign}`,
      )
      .replaceAll('%', '.*')}$`,
  ).test(type)

const type = fc.oneof(
  fc.stringMatching(/^server[.:][a-z.-]{1,12}$/),
  fc
    .constantFrom(...ACTIVITY_GROUPS.flatMap((group): readonly string[] => ACTIVITY_TYPES[group]))
    .map((pattern) => pattern.replace('*', 'something-new')),
)

test('every type is in one group at most, and SQL agrees with the domain about which', () => {
  fc.assert(
    fc.property(type, (each) => {
      const found = ACTIVITY_GROUPS.filter((group) => likeActivities([group]).some((pattern) => isLike(each, pattern)))
      expect(found.length).toBeLessThanOrEqual(1)
      expect(groupOfActivity(each)).toBe(found[0] ?? 'other')
    }),
  )
})

test('an action of a known subject is in its group, and one of an unknown subject in none', () => {
  expect(groupOfActivity('server:file.teleport')).toBe('files')
  expect(groupOfActivity('server:backup.create')).toBe('saves')
  expect(groupOfActivity('server:teleported')).toBe('other')
  expect(groupOfActivity('server')).toBe('other')
})

test('signs of a pattern language stand for themselves', () => {
  expect(likeActivities(['power'])).toContain('server:power.%')
  expect(likeActivities(['files']).join()).not.toContain('*')
})
