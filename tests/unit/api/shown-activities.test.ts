import { expect, test } from 'vitest'
import type { ActivityPerson, FoundActivity } from '../../../src/contracts/http/panel/server-activity.ts'
import { peopleIn, shownActivities } from '../../../src/api/shown-activities.ts'

const person = (id: string, role: ActivityPerson['role'] = 'member'): ActivityPerson => ({
  id,
  name: role === 'deleted' ? null : id,
  role,
  pictureId: null,
})
const found = (sees: FoundActivity['sees'], actor: FoundActivity['actor'] = person('anna')): FoundActivity => ({
  id: '1',
  type: 'server.stop',
  group: 'power',
  status: 'success',
  date: '2026-11-20T10:00:00.000Z',
  way: 'panel',
  actor,
  detail: '',
  facts: {},
  missing: null,
  ipAddress: '192.0.2.1',
  sees,
})
const facts = { pictures: new Map([['anna', 'picture-of-anna']]), placeOf: (address: string) => `place of ${address}` }
const shown = (item: FoundActivity) => shownActivities({ items: [item], people: [], next: null }, facts).items[0]

test('an address leaves the site only for a reader who may see it, and a place only for one who may see that', () => {
  expect(shown(found('address'))).toMatchObject({ ipAddress: '192.0.2.1', place: 'place of 192.0.2.1' })
  expect(shown(found('place'))).toMatchObject({ ipAddress: null, place: 'place of 192.0.2.1' })
  const nothing = shown({ ...found('nothing'), ipAddress: '192.0.2.1' })
  expect(nothing).toMatchObject({ ipAddress: null, place: '' })
  expect(JSON.stringify(shown(found('place')))).not.toContain('"sees"')
  expect(JSON.stringify(nothing)).not.toContain('192.0.2.1')
})

test('people have their pictures, and a deleted account has none', () => {
  const people = [person('anna'), person('bela'), person('gone', 'deleted')]
  const all = { items: [found('address', person('cili')), found('address', 'server')], people, next: null }
  expect(peopleIn(all)).toEqual(['anna', 'bela', 'cili'])
  const page = shownActivities(all, facts)
  expect(page.people.map(({ pictureId }) => pictureId)).toEqual(['picture-of-anna', null, null])
  expect(page.items[1]?.actor).toBe('server')
})
