import { expect, test } from 'vitest'
import { knownTimeZone } from '../../../../src/domain/users/time-zone.ts'

test.each(['Europe/Budapest', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'UTC'])(
  '%s is known as a zone',
  (name) => {
    expect(knownTimeZone(name)).not.toBeNull()
  },
)

test('a zone is kept under its proper name', () => {
  expect(knownTimeZone('europe/budapest')).toBe('Europe/Budapest')
})

test.each(['', ' ', 'Europe/Budapest ', '+02:00', 'Mars/Base', 'Europe/../UTC', 'Europe/Budapest\n', 'a'.repeat(65)])(
  '%j is none',
  (name) => {
    expect(knownTimeZone(name)).toBeNull()
  },
)
