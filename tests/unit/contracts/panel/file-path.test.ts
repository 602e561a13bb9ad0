import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { folderOf, isNewName, joinPath, nameOf, numberedName, partsOfPath } from '#contracts/panel/file-path.ts'

/** As a server in between would decode it; one that cannot be decoded is refused there. */
const decodedOnce = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

describe("a path of a server's files", () => {
  it('is its names, none for the folder itself', () => {
    expect(partsOfPath('')).toEqual([])
    expect(partsOfPath('server.properties')).toEqual(['server.properties'])
    expect(partsOfPath('plugins/Essentials/config.yml')).toEqual(['plugins', 'Essentials', 'config.yml'])
    expect(partsOfPath('a..b/.hidden/ name ')).toEqual(['a..b', '.hidden', ' name '])
    expect(partsOfPath('100%/50%25off')).toEqual(['100%', '50%25off'])
  })

  it.each([
    '/',
    '/a',
    'a/',
    'a//b',
    '.',
    'a/.',
    '..',
    'a/../b',
    '~',
    '~/a',
    'a\0b',
    '..\\a',
    'a\\..\\b',
    '..%2fa',
    '%2e%2e',
    '..%252fa',
    '....//a',
    'n'.repeat(256),
    `${'a/'.repeat(2_050)}a`,
    'a/'.repeat(64) + 'a',
  ])('%j is none', (path) => {
    expect(partsOfPath(path)).toBeUndefined()
  })

  it('never has a part that leads up, whatever is typed', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('.', '/', '\\', '%', '2', 'e', 'f', '5', 'c', 'a', '\0', '~') }),
        (text) => {
          for (const part of partsOfPath(text) ?? []) {
            expect(['', '.', '..', '~']).not.toContain(part)
            expect(part).not.toMatch(/[/\0]/)
            expect(decodedOnce(part).split(/[/\\]/)).not.toContain('..')
          }
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('counts bytes, not letters', () => {
    expect(partsOfPath('ő'.repeat(127))).toHaveLength(1)
    expect(partsOfPath('ő'.repeat(128))).toBeUndefined()
  })
})

describe('a new name', () => {
  it.each([
    ['config.yml', true],
    ['új mappa', true],
    ['a/b', false],
    ['', false],
    ['..', false],
    [' a', false],
    ['a ', false],
    ['a\nb', false],
    ['a\u007fb', false],
  ])('%j: %s', (name, is) => {
    expect(isNewName(name)).toBe(is)
  })

  it('beside an existing one has a number before its ending', () => {
    expect(numberedName('world.zip', 2)).toBe('world (2).zip')
    expect(numberedName('world.tar.gz', 3)).toBe('world (3).tar.gz')
    expect(numberedName('world', 2)).toBe('world (2)')
    expect(numberedName('.env', 2)).toBe('.env (2)')
    expect(numberedName('a.b.yml', 2)).toBe('a.b (2).yml')
  })
})

it('folder and name of a path make it again', () => {
  for (const path of ['a', 'a/b', 'a/b/c.txt']) expect(joinPath(folderOf(path), nameOf(path))).toBe(path)
})
