import { expect, test } from 'vitest'
import { createByteCache } from '../../../src/server/byte-cache.ts'

test('the entry that was not asked for longest goes first, and the bytes stay bounded', () => {
  const cache = createByteCache<string>(10, (value) => value.length)
  cache.set('a', '1234')
  cache.set('b', '1234')
  cache.get('a')
  cache.set('c', '1234')
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['1234', undefined, '1234'])
  cache.set('a', '12345678901')
  expect(cache.get('a')).toBeUndefined()
  expect(cache.bytes()).toBe(4)
})
