import { expect, it } from 'vitest'
import { addressOf, isSamePlace, placeOf } from '@/features/files/place.ts'

const of = (address: string) => {
  const { pathname, searchParams } = new URL(address, 'http://bakter.test')
  return placeOf(pathname, searchParams)
}

it.each([
  [{ folder: '', file: null }, '/panel/s1/files'],
  [{ folder: 'plugins/új mappa', file: null }, '/panel/s1/files?path=plugins%2F%C3%BAj%20mappa'],
  [{ folder: 'a', file: 'a/50% off?.yml' }, '/panel/s1/edit/a/50%25%20off%3F.yml'],
  [{ folder: '', file: 'server.properties' }, '/panel/s1/edit/server.properties'],
])('%j has the address %s, and back', (place, address) => {
  expect(addressOf('s1', place, '/panel/s1/files')).toBe(address)
  expect(of(address)).toEqual(place)
  expect(addressOf('s1', place, '/hu/panel/s1/console')).toBe(`/hu${address}`)
  expect(of(`/hu${address}`)).toEqual(place)
})

it.each([
  '/panel/s1/files?path=..%2Fetc',
  '/panel/s1/files?path=%2Fetc',
  '/panel/s1/edit/%2E%2E%5Cx',
  '/panel/s1/edit/%E0%A4%A',
  '/panel/s1/edit/',
])('%s is no place: the reader is at the top', (address) => {
  expect(of(address)).toEqual({ folder: '', file: null })
})

it('is the same while the same file is open, whatever folder is named, or the same folder without one', () => {
  const file = { folder: 'a', file: 'a/b.yml' }
  expect(isSamePlace(file, { ...file, folder: '' })).toBe(true)
  expect(isSamePlace(file, { folder: 'a', file: 'a/c.yml' })).toBe(false)
  expect(isSamePlace({ folder: 'a', file: null }, { folder: 'a', file: null })).toBe(true)
  expect(isSamePlace({ folder: 'a', file: null }, { folder: '', file: null })).toBe(false)
})
