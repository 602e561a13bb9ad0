import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  additionOf,
  escapedValue,
  readProperties,
  valueChange,
  type TextChange,
} from '#domain/config-files/java-properties.ts'

type Pair = [key: string, value: string]

/**
 * The result of `java.util.Properties.load` of OpenJDK 17 for each text, or null where it refused it: WriteCases.java
 * beside it.
 */
const CASES = JSON.parse(
  readFileSync(new URL('../../../fixtures/java-properties/cases.json', import.meta.url), 'utf8'),
) as [text: string, pairs: Pair[] | null][]

const pairsOf = (text: string): Pair[] | null =>
  readProperties(text)?.map(({ key, value }): Pair => [key, value]) ?? null
const changed = (text: string, { from, to, insert }: TextChange): string =>
  text.slice(0, from) + insert + text.slice(to)

/** Everything that means something to the format, and words between. */
const PARTS = [
  '\\',
  '\n',
  '\r',
  '\r\n',
  ' ',
  '\t',
  '\f',
  '=',
  ':',
  '#',
  '!',
  'motd',
  'pvp',
  'ő',
  '😀',
  '\\u00e9',
  '\\n',
]
const texts = fc.array(fc.constantFrom(...PARTS), { maxLength: 40 }).map((parts) => parts.join(''))
const values = fc.oneof(texts, fc.string({ unit: 'binary', maxLength: 20 }))

describe('a properties file', () => {
  it('is read as Java reads it, in 500 texts', () => {
    expect(CASES.filter(([, pairs]) => pairs === null).length).toBeGreaterThan(50)
    const wrong = CASES.filter(([text, pairs]) => JSON.stringify(pairsOf(text)) !== JSON.stringify(pairs))
    expect(CASES.length - wrong.length).toBe(500)
  })

  it.each<[what: string, text: string, pairs: Pair[] | null]>([
    ['blanks around the sign', '  motd \t= A server  ', [['motd', 'A server  ']]],
    [
      'a colon or nothing but blanks',
      'a:1\nb 2\nc',
      [
        ['a', '1'],
        ['b', '2'],
        ['c', ''],
      ],
    ],
    ['comments, which a backslash does not continue', '# a=1\\\n! b=2\nc=3', [['c', '3']]],
    ['a line that goes on', 'motd=one \\\n   two', [['motd', 'one two']]],
    ['an escaped sign in a key', 'level\\ type\\==minecraft\\:flat', [['level type=', 'minecraft:flat']]],
    ['an escape that Java refuses', 'motd=\\u00g1', null],
    ['an escape that ends too early', 'motd=\\u00', null],
  ])('with %s', (_what, text, pairs) => {
    expect(pairsOf(text)).toEqual(pairs)
  })
})

describe('a changed value', () => {
  it('is read back, and every other key and byte stays', () => {
    fc.assert(
      fc.property(texts, values, fc.nat(), (text, value, pick) => {
        const entries = readProperties(text)
        fc.pre(entries !== undefined && entries.length > 0)
        const index = pick % entries.length
        const entry = entries[index]
        if (entry === undefined) throw new Error('There is an entry at each index.')
        const change = valueChange(entry, value)
        const after = changed(text, change)
        expect(pairsOf(after)).toEqual(entries.map(({ key, value: own }, at) => [key, at === index ? value : own]))
        expect(after.startsWith(text.slice(0, entry.from))).toBe(true)
        expect(after.endsWith(text.slice(entry.to))).toBe(true)
        expect(change).toMatchObject({ from: entry.from, to: entry.to })
      }),
      { numRuns: 2_000 },
    )
  })

  it('keeps comments, order, spacing and the other line breaks', () => {
    const text = '#Minecraft server properties\r\n\r\n! by hand\r\npvp = true\r\nmotd: one \\\r\n    two\r\nlast'
    const [pvp, motd, last] = readProperties(text) ?? []
    if (pvp === undefined || motd === undefined || last === undefined) throw new Error('The text has three entries.')
    expect(changed(text, valueChange(pvp, 'false'))).toBe(text.replace('true', 'false'))
    expect(changed(text, valueChange(motd, 'three'))).toBe(text.replace('one \\\r\n    two', 'three'))
    expect(changed(text, valueChange(last, 'x'))).toBe(`${text}=x`)
  })

  it('is written in ASCII, as Java stores it', () => {
    expect(escapedValue(' Őrsi §a: 1=1 #! \\\n\t~')).toBe('\\ \\u0150rsi \\u00A7a\\: 1\\=1 \\#\\! \\\\\\n\\t~')
  })
})

describe('an added key', () => {
  it('stands at the end and changes nothing before it', () => {
    fc.assert(
      fc.property(
        texts,
        texts.filter((key) => key !== ''),
        values,
        (text, key, value) => {
          const before = pairsOf(text)
          fc.pre(before !== null)
          const change = additionOf(text, key, value)
          if (change === undefined) throw new Error('Every file that can be read takes a key.')
          const after = changed(text, change)
          expect(after.startsWith(text)).toBe(true)
          expect(pairsOf(after)?.filter(([name]) => name !== '')).toEqual([
            ...before.filter(([name]) => name !== ''),
            [key, value],
          ])
        },
      ),
      { numRuns: 1_000 },
    )
  })

  it.each([
    ['', 'pvp=true\n'],
    ['a=1\n', 'pvp=true\n'],
    ['a=1', '\npvp=true\n'],
    ['# a comment', '\npvp=true\n'],
    ['a=1\\', '\n\npvp=true\n'],
  ])('after %j begins a line of its own', (text, insert) => {
    expect(additionOf(text, 'pvp', 'true')).toEqual({ from: text.length, to: text.length, insert })
  })

  it('is refused by a file that Java refuses', () => {
    expect(additionOf('motd=\\u1', 'pvp', 'true')).toBeUndefined()
  })
})
