import { expect, test } from 'vitest'
import { placesOf } from '../../../../src/features/catalog/places.ts'

const budapest = { city: 'Budapest', country: 'HU' }

test('a place is named in the reader’s language, once, with the shortest ping to it', () => {
  expect(placesOf([budapest, { city: null, country: 'DE' }, budapest], { locale: 'de', pings: [9, null, 4] })).toEqual([
    { name: 'Budapest, Ungarn', pingMs: 4 },
    { name: 'Deutschland', pingMs: null },
  ])
})

test('a computer without a place is not shown, even if it answers', () => {
  expect(placesOf([{ city: null, country: null }], { locale: 'en', pings: [3] })).toEqual([])
})
