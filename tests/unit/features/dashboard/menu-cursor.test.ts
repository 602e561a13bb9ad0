import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMenuCursor } from '../../../../src/features/dashboard/menu-cursor.ts'

test('a press while a page is on its way counts from that page', () => {
  const cursor = createMenuCursor()
  expect(cursor.place('/a')).toBe('/a')
  cursor.begin('/b')
  expect(cursor.place('/a')).toBe('/b')
  cursor.begin('/c')
  // The page between opens after the second press.
  cursor.arrive('/b')
  expect(cursor.place('/b')).toBe('/c')
  cursor.arrive('/c')
  expect(cursor.place('/c')).toBe('/c')
})

test('a page that opens in place of the asked one is where the keys go on', () => {
  const cursor = createMenuCursor()
  cursor.begin('/panel')
  cursor.arrive('/dashboard/servers')
  expect(cursor.place('/dashboard/servers')).toBe('/dashboard/servers')
})

test('a filter that is typed into the address is one navigation to the same page', () => {
  const cursor = createMenuCursor()
  for (let typed = 0; typed < 5; typed += 1) cursor.begin('/servers')
  cursor.arrive('/servers')
  expect(cursor.place('/servers')).toBe('/servers')
  cursor.begin('/balance')
  expect(cursor.place('/servers')).toBe('/balance')
})

test('there and back before either opens', () => {
  const cursor = createMenuCursor()
  cursor.begin('/b')
  cursor.begin('/a')
  expect(cursor.place('/a')).toBe('/a')
  // By a link, later.
  cursor.begin('/b')
  cursor.arrive('/b')
  expect(cursor.place('/b')).toBe('/b')
})

test('whichever pages between are skipped, the last asked one is the place until it opens, and then it is the open one', () => {
  const path = fc.constantFrom('/a', '/b', '/c', '/d')
  fc.assert(
    fc.property(fc.array(fc.tuple(path, fc.boolean()), { minLength: 1 }), (asked) => {
      const cursor = createMenuCursor()
      let open = '/start'
      for (const [to, opens] of asked) {
        cursor.begin(to)
        expect(cursor.place(open)).toBe(to)
        if (!opens) continue
        open = to
        cursor.arrive(to)
        expect(cursor.place(open)).toBe(to)
      }
      const last = cursor.place(open)
      cursor.arrive(last)
      expect(cursor.place('/elsewhere')).toBe('/elsewhere')
    }),
  )
})
