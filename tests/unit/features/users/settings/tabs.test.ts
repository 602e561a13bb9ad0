import { expect, test } from 'vitest'
import { sectionElsewhere, TABS } from '../../../../../src/features/users/settings/tabs.ts'

test('a section on another page of the settings is found there by its old link', () => {
  expect(sectionElsewhere('/dashboard/settings', 'factor')).toBe('/dashboard/settings/security#factor')
  expect(sectionElsewhere('/dashboard/settings/', 'notifications')).toBe(
    '/dashboard/settings/notifications#notifications',
  )
  expect(sectionElsewhere('/dashboard/settings/security', 'data')).toBe('/dashboard/settings#data')
})

test('a section of this page, and a name that is none, lead nowhere', () => {
  for (const { path, sections } of TABS) {
    for (const section of sections) expect(sectionElsewhere(path, section), section).toBeNull()
  }
  expect(sectionElsewhere('/dashboard/settings', '')).toBeNull()
  expect(sectionElsewhere('/dashboard/settings', 'nothing')).toBeNull()
})

test('every section is on one page only', () => {
  const all = TABS.flatMap(({ sections }) => sections)
  expect(new Set(all).size).toBe(all.length)
})
