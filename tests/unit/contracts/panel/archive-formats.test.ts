import { describe, expect, it } from 'vitest'

import { formatOf, stemOf, WRITTEN_FORMATS } from '#contracts/panel/archive-formats.ts'

describe('the format of an archive', () => {
  it.each([
    ['world.zip', 'zip', 'world'],
    ['World.ZIP', 'zip', 'World'],
    ['plugin.jar', 'zip', 'plugin'],
    ['a.tar.gz', 'tar.gz', 'a'],
    ['a.tgz', 'tar.gz', 'a'],
    ['a.tar.zst', 'tar.zst', 'a'],
    ['a.b.tar', 'tar', 'a.b'],
    ['a.tar.xz', 'tar.xz', 'a'],
    ['a.tar.bz2', 'tar.bz2', 'a'],
    ['mods.7z', '7z', 'mods'],
    ['2026-11-01-1.log.gz', 'gz', '2026-11-01-1.log'],
  ])('of %s is %s', (name, format, stem) => {
    expect([formatOf(name), stemOf(name)]).toEqual([format, stem])
  })

  it.each(['.zip', '.tar.gz', 'zip', 'world', 'server.properties', 'a.rar'])('of %s is unknown', (name) => {
    expect(formatOf(name)).toBe(name === '.tar.gz' ? 'gz' : undefined)
  })

  it('is that of the name that the node gives it', () => {
    for (const format of WRITTEN_FORMATS) expect(formatOf(`a.${format}`)).toBe(format)
  })
})
