import { describe, expect, it } from 'vitest'
import { addressNameOf, distinctNames, isAddressName, isDocumentId } from '#domain/content/address-name.ts'

const ID = '01890a5d-ac96-774b-bcce-b302099a8057'

describe('a text as a name in an address', () => {
  it.each([
    ['Őrült jó tűzijáték, 2026!', 'orult-jo-tuzijatek-2026'],
    ['Größe & Straße', 'grosse-strasse'],
    ['  --  Kérdés?  ', 'kerdes'],
    ['<img src=x>', 'img-src-x'],
    ['!!!', ''],
  ])('%s is %s', (text, name) => {
    expect(addressNameOf(text, 60)).toBe(name)
  })

  it('is cut between words, and inside a word that is too long alone', () => {
    expect(addressNameOf('one two three', 9)).toBe('one-two')
    expect(addressNameOf('one two three', 7)).toBe('one-two')
    expect(addressNameOf('abcdefghij', 4)).toBe('abcd')
  })

  it('is refused with other signs, doubled hyphens, or as an id', () => {
    for (const name of ['a', 'how-much-2-gb']) expect(isAddressName(name), name).toBe(true)
    for (const name of ['', 'A', 'a--b', '-a', 'a-', 'a.b', 'a/b', 'ő', ID])
      expect(isAddressName(name), name).toBe(false)
    expect([ID, 'a', ID.toUpperCase()].map(isDocumentId)).toEqual([true, false, false])
  })
})

describe('names of texts on one page', () => {
  it('are distinct, also where a numbered one exists, and a text without letters has one', () => {
    expect(distinctNames(['Part', 'Part 2', 'Part', '?', '?'], 'section')).toEqual([
      'part',
      'part-2',
      'part-3',
      'section',
      'section-2',
    ])
  })
})
