import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { partsOfPath } from '#contracts/panel/file-path.ts'
import { entryPlace } from '../../../../../agents/files/archives/entry-place.ts'

describe('the place of an entry', () => {
  it.each([
    ['world/level.dat', ['world', 'level.dat']],
    ['./world//level.dat', ['world', 'level.dat']],
    ['world\\region\\r.mca', ['world', 'region', 'r.mca']],
    ['world/', ['world']],
    ['./', []],
    ['a..b/..c', ['a..b', '..c']],
  ])('%s is below the folder', (name, parts) => {
    expect(entryPlace(name)).toEqual({ is: 'place', parts })
  })

  it.each([
    ['../x', 'climbs'],
    ['a/../../x', 'climbs'],
    ['..\\x', 'climbs'],
    ['/etc/passwd', 'absolute'],
    ['\\\\host\\share', 'absolute'],
    ['C:\\x', 'absolute'],
    ['z:x', 'absolute'],
    ['a\0b', 'name'],
    ['a/%2e%2e/x', 'name'],
    ['~/x', 'name'],
    ['bad \uFFFD name', 'name'],
    ['n'.repeat(256), 'name'],
    ['d/'.repeat(65), 'name'],
  ])('%s is left out', (name, why) => {
    expect(entryPlace(name)).toEqual({ is: 'left out', why })
  })

  it('is never one that the walk would refuse, and never above the folder', () => {
    const part = fc.constantFrom('..', '.', '', '...', 'a', 'b c', '~', '%2e%2e', 'C:', '\0', '..%2f')
    const separator = fc.constantFrom('/', '\\', '//', '/./')
    const name = fc.array(fc.tuple(part, separator), { maxLength: 8 }).map((all) => all.flat().join(''))
    fc.assert(
      fc.property(name, (text) => {
        const place = entryPlace(text)
        if (place.is === 'left out') return
        expect(partsOfPath(place.parts.join('/'))).toEqual(place.parts)
        expect(place.parts).not.toContain('..')
      }),
    )
  })
})
