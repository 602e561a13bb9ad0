import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { openPlaces, publicAddress, withPlaces } from '../../../../src/identity/context/places.ts'
import { ManualClock } from '../../../setup/manual-clock.ts'
import { locationDatabase } from '../../../support/location-database.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const NETWORKS = {
  '198.51.100.0/24': { country: { iso_code: 'HU' }, city: { names: { en: 'Pecs', hu: 'Pécs' } } },
  '203.0.113.0/24': { country_code: 'DE' },
  '203.0.114.0/24': { country_code: 'AT', city: 'Graz' },
  '203.0.115.0/24': { country_code: 'neither', city: 7 },
  '10.0.0.0/8': { country_code: 'DE' },
  '2001:db8::/32': { country_code: 'FR' },
}

let file: string
let clock: ManualClock
let failures: unknown[]
const open = () => openPlaces({ file, clock, onFailure: (error) => failures.push(error) })

beforeEach(() => {
  file = join(temporaryFolder(), 'places.mmdb')
  writeFileSync(file, locationDatabase(NETWORKS))
  clock = new ManualClock('2026-11-20T12:00:00Z')
  failures = []
})

describe('the place of an address', () => {
  it.each([
    ['198.51.100.7', 'hu', 'Pécs, Magyarország'],
    ['198.51.100.7', 'en', 'Pecs, Hungary'],
    ['198.51.100.7', 'de', 'Pecs, Ungarn'],
    ['203.0.113.7', 'hu', 'Németország'],
    ['203.0.114.7', 'en', 'Graz, Austria'],
    ['2001:db8::7', 'en', 'France'],
    ['::ffff:203.0.113.7', 'en', 'Germany'],
  ] as const)('%s is, in %s, %s', (address, locale, place) => {
    expect(open().of(address, locale)).toBe(place)
  })

  it.each([
    ['nobody knows it', '192.0.2.7'],
    ['what is known of it makes no sense', '203.0.115.7'],
    ['a private one, whatever the database says', '10.1.2.3'],
    ['a private one in the form of IPv6', '::ffff:10.1.2.3'],
    ['this machine', '127.0.0.1'],
    ['this machine', '::1'],
    ['a private one of IPv6', 'fd00::1'],
    ['a link', 'fe80::1'],
    ['none', ''],
    ['no address', '203.0.113.7.8'],
  ])('is empty: %s (%s)', (_why, address) => {
    expect(open().of(address, 'en')).toBe('')
    expect(failures).toEqual([])
  })

  it('is written into lines, and nothing else of them changes', () => {
    const lines = [{ id: '1', ipAddress: '203.0.113.7', place: '' }]
    expect(withPlaces(lines, { places: open(), locale: 'de' })).toEqual([{ ...lines[0], place: 'Deutschland' }])
  })
})

describe('the file', () => {
  it('may be replaced, and may be away or damaged meanwhile', () => {
    const places = open()
    expect(places.of('203.0.113.7', 'en')).toBe('Germany')
    rmSync(file)
    clock.advance(60_000)
    expect(places.of('203.0.113.7', 'en')).toBe('Germany')
    writeFileSync(file, 'no database')
    clock.advance(60_000)
    expect(places.of('203.0.113.7', 'en')).toBe('Germany')
    expect(failures).toHaveLength(2)
    writeFileSync(file, locationDatabase({ '203.0.113.0/24': { country_code: 'PL' } }))
    utimesSync(file, 1, 1)
    expect(places.of('203.0.113.7', 'en')).toBe('Germany')
    clock.advance(60_000)
    expect(places.of('203.0.113.7', 'en')).toBe('Poland')
  })
})

it.each([
  ['198.51.100.7', '198.51.100.7'],
  ['::FFFF:198.51.100.7', '198.51.100.7'],
  ['2001:db8::7', '2001:db8::7'],
  ['100.64.0.1', null],
  ['172.31.255.255', null],
  ['169.254.1.1', null],
  ['0.0.0.0', null],
])('of %s the public address is %s', (text, expected) => {
  expect(publicAddress(text)).toBe(expected)
})
