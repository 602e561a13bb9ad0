import { expect, test } from 'vitest'
import type { Permission } from '#contracts/panel/permissions.ts'
import { placeOfEntry } from '../../../../../src/features/activities/server/entry-place.ts'
import type { ServerActivity } from '../../../../../src/contracts/http/panel/server-activity.ts'

const ALL: readonly Permission[] = ['file.list', 'file.read', 'console.read']
const entry = (type: string, detail: string, changes: Partial<ServerActivity> = {}) => ({
  type,
  detail,
  group: 'files' as const,
  missing: null,
  ...changes,
})

test.each([
  ['server:file.write', 'world/a b.txt', '/panel/s/edit/world/a%20b.txt'],
  ['server:sftp.create', 'motd.txt', '/panel/s/edit/motd.txt'],
  ['server:file.pull', 'mods/x.jar ← example.org', '/panel/s/edit/mods/x.jar'],
  ['server:file.create-directory', 'world/maps', '/panel/s/files?path=world%2Fmaps'],
  ['server:file.rename', 'a/b → c/d (+2)', '/panel/s/files?path=c'],
  ['server:file.delete', 'world/old.txt (+3)', '/panel/s/files?path=world'],
  ['server:file.chmod', 'bin/run (755)', '/panel/s/files?path=bin'],
  ['server:file.arrive', 'inbox/a ← Other:b', '/panel/s/files?path=inbox'],
  ['server:file.copy-to', 'maps/a → Other:b/a', '/panel/s/files?path=maps'],
  ['server:file.empty-bin', '*', '/panel/s/files'],
  ['server:file.write', '../../etc/passwd', '/panel/s/files'],
])('%s of %s leads to its place', (type, detail, place) => {
  expect(placeOfEntry('s', entry(type, detail), ALL)).toBe(place)
})

test('nothing leads where the reader may not go', () => {
  const write = entry('server:file.write', 'world/a.txt')
  expect(placeOfEntry('s', write, ['file.list'])).toBe('/panel/s/files?path=world')
  expect(placeOfEntry('s', write, [])).toBeNull()
  expect(placeOfEntry('s', { ...write, missing: 'file.list' }, ALL)).toBeNull()
  expect(placeOfEntry('s', entry('server:console.command', 'say hi', { group: 'console' }), [])).toBeNull()
  expect(placeOfEntry('s', entry('server:crashed', '', { group: 'state' }), ALL)).toBe('/panel/s/console')
  expect(placeOfEntry('s', entry('server.stop', '', { group: 'power' }), ALL)).toBeNull()
})
