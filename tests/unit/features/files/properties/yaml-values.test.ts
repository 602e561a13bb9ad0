import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { withChange } from '#domain/config-files/java-properties.ts'
import { readYaml, wrongYamlLine, yamlChange } from '@/features/files/properties/yaml-values.ts'
import type { Wanted } from '@/features/files/properties/yaml-values.ts'

const TEXT = [
  '# Bukkit, by hand',
  'settings:',
  '  allow-end: true # the dragon',
  "  shutdown-message: 'Server closed'",
  '  name: "Őrsi: túlélő"',
  '  connection-throttle: 4000',
  '  empty:',
  'spawn-limits: {monsters: 70, animals: 10}',
  'a.b: 1',
  'worlds:',
  '  - world',
  'text: |',
  '  two',
  '  lines',
  'version: 1.20',
  '',
].join('\n')

const entryAt = (text: string, key: string) => {
  const entry = readYaml(text)?.find((each) => each.key === key)
  if (entry === undefined) throw new Error(`${key} is no entry.`)
  return entry
}
const withValue = (text: string, key: string, wanted: string | Wanted): string => {
  const change = yamlChange(text, entryAt(text, key), typeof wanted === 'string' ? { value: wanted } : wanted)
  if (change === undefined) throw new Error(`${key} takes no ${JSON.stringify(wanted)}.`)
  return withChange(text, change)
}
const pairs = (text: string) => readYaml(text)?.map(({ key, value }) => [key, value])

it('single values are read by the names on the way to them; lists, blocks and names with dots stay in the text', () => {
  expect(pairs(TEXT)).toEqual([
    ['settings.allow-end', 'true'],
    ['settings.shutdown-message', 'Server closed'],
    ['settings.name', 'Őrsi: túlélő'],
    ['settings.connection-throttle', '4000'],
    ['settings.empty', ''],
    ['spawn-limits.monsters', '70'],
    ['spawn-limits.animals', '10'],
    ['version', '1.20'],
  ])
})

it.each([
  ['settings.allow-end', 'false', '  allow-end: false # the dragon'],
  ['settings.shutdown-message', "It's over", "  shutdown-message: 'It''s over'"],
  ['settings.name', 'a "b" \\', String.raw`  name: "a \"b\" \\"`],
  ['settings.connection-throttle', '-1', '  connection-throttle: -1'],
  ['settings.connection-throttle', 'a # b', "  connection-throttle: 'a # b'"],
  ['settings.connection-throttle', '', '  connection-throttle: '],
  ['settings.shutdown-message', '', "  shutdown-message: ''"],
  ['settings.empty', 'now', '  empty: now'],
  ['spawn-limits.monsters', '5', 'spawn-limits: {monsters: 5, animals: 10}'],
  ['spawn-limits.monsters', '5, 6', "spawn-limits: {monsters: '5, 6', animals: 10}"],
  ['version', '1.21', 'version: 1.21'],
])('%s becomes %s in its line, and every other line stays', (key, value, line) => {
  const written = withValue(TEXT, key, value).split('\n')
  const before = TEXT.split('\n')
  const changed = written.flatMap((each, index) => (each === before[index] ? [] : [each]))
  expect([written.length, changed]).toEqual([before.length, [line]])
})

it('a word that the program would take for something else is put in quotes', () => {
  for (const word of ['yes', 'null', '~', '- a', '*a', '&a', '%a', '@a', '`a', '{', 'a: b', ' a', 'a ', '\t', '!x'])
    expect(pairs(withValue('key: before\nnext: 1\n', 'key', word))).toEqual([
      ['key', word],
      ['next', '1'],
    ])
})

describe('a text that is no YAML', () => {
  it.each([
    ['a: "b', 1],
    ['a: 1\nb: [1, 2', 2],
    ['a: 1\n b: 2\n', 1],
    ['a: 1\n---\nb: 2\n', 2],
  ])('%j has no form, and its line is named', (text, line) => {
    expect(readYaml(text)).toBeUndefined()
    expect(wrongYamlLine(text)).toBeGreaterThanOrEqual(line)
  })

  it('is no list and no word either', () => {
    expect([readYaml('- a\n- b\n'), readYaml('word'), readYaml(''), readYaml('# only this\n')]).toEqual([
      undefined,
      undefined,
      [],
      [],
    ])
  })
})

const as11 = (text: string): unknown => parse(text, { version: '1.1', merge: false, uniqueKeys: false })

it.each(['2024_01', '0123', '12:30', '0777', '1e3', '0x1f', '2001-12-14', '=', 'on', '.5', '+1'])(
  'a text that becomes %s stays a text for programs on the Java side',
  (value) => {
    const written = withValue('motd: hello # said\nnext: 1\n', 'motd', value)
    expect(as11(written)).toEqual({ motd: value, next: 1 })
    expect(written).toBe(`motd: '${value}' # said\nnext: 1\n`)
    // Described as a text, and not there yet.
    expect(as11(withValue('motd:\n', 'motd', { value, kind: { is: 'text', preset: '' } }))).toEqual({ motd: value })
  },
)

describe('a number that somebody types', () => {
  const kind = { is: 'number', min: -1, max: 10_000, preset: '5' } as const
  const typed = (text: string, ...values: string[]): string[] => {
    const after: string[] = []
    for (const value of values) after.push(withValue(after.at(-1) ?? text, 'ms', { value, kind }))
    return after
  }

  it('is emptied and written again on a line with a comment', () => {
    expect(typed('ms: 4000 # wait\n', '', '5', '50')).toEqual(['ms:  # wait\n', 'ms:  5 # wait\n', 'ms:  50 # wait\n'])
    expect(typed('ms: # wait\n', '5')).toEqual(['ms: 5 # wait\n'])
  })

  it('is a number again after a sign or a word that is none', () => {
    expect(typed('ms: 4000\n', '', '-', '-1').map(as11)).toEqual([{ ms: null }, { ms: '-' }, { ms: -1 }])
    expect(typed('ms: 4000\n', 'many', '35').map(as11)).toEqual([{ ms: 'many' }, { ms: 35 }])
  })

  it('keeps the quotes that it has in the file', () => {
    expect(typed("ms: '40'\n", '41')).toEqual(["ms: '41'\n"])
  })
})

it('a table with an anchor, and all below it, stays in the text', () => {
  const text = 'base: &base\n  a: 1\n  deep: {b: 2}\nother: *base\nnext: {c: 3}\n'
  expect(pairs(text)).toEqual([['next.c', '3']])
})

it('the program reads the last of equal names', () => {
  expect(pairs('a: 1\na: 2\nb: {c: 3}\nb: {d: 4}\n')).toEqual([
    ['a', '1'],
    ['a', '2'],
    ['b.d', '4'],
  ])
  const text = 'a: 1\na: 2\n'
  const last = readYaml(text)?.at(-1)
  const change = last && yamlChange(text, last, { value: '3' })
  expect(change && withChange(text, change)).toBe('a: 1\na: 3\n')
})

const word = fc.stringMatching(/^[a-z]{2}-[a-z]{0,5}$/)
const line = fc.string({ unit: fc.constantFrom(...`aő😀 :#'"\\-,[]{}&*!|>%@\`0.5~?12_=<`), maxLength: 12 })
const KINDS: readonly Wanted['kind'][] = [
  undefined,
  { is: 'text', preset: '' },
  { is: 'number', min: 0, max: 9, preset: '1' },
]
/** How a value stands in the file: three ways to write a text, a number, and nothing. */
const shownAs = (text: string, as: string): string =>
  as === "'" ? `'${text.replaceAll("'", "''")}'` : as === '"' ? JSON.stringify(text) : as

it('any value is read back with its type, comments stay, and nothing else changes', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { minLength: 1, maxLength: 5 }),
      fc.array(line, { minLength: 5, maxLength: 5 }),
      fc.array(fc.constantFrom("'", '"', 'plain', '70', ''), { minLength: 5, maxLength: 5 }),
      fc.record({ value: line, kind: fc.constantFrom(...KINDS) }),
      fc.nat(4),
      (names, values, states, wanted, at) => {
        const text = names
          .map((name, index) => {
            const shown = shownAs(values[index] ?? '', states[index] ?? '')
            return `${name}:\n  # about ${name}\n  of:   ${shown}  # x\n  with: &at-${name} {a: 1}\n  as: *at-${name}\n`
          })
          .join('')
        const name = names[at % names.length] ?? ''
        const written = withValue(text, `${name}.of`, wanted)
        const [before, after] = [as11(text), as11(written)] as Record<string, { of: unknown }>[]
        const [was, is] = [before?.[name]?.of, after?.[name]?.of]
        expect(after).toEqual({ ...before, [name]: { ...before?.[name], of: is } })
        const { value, kind } = wanted
        const isText = kind?.is === 'number' ? false : typeof was === 'string' || (kind?.is === 'text' && was === null)
        expect(isText && !(was === null && value === '') ? is : entryAt(written, `${name}.of`).value).toBe(value)
        const comments = (all: string) => all.split('\n').flatMap((each) => / # (?:about .*|x)$/.exec(each)?.[0] ?? [])
        expect(comments(written)).toEqual(comments(text))
      },
    ),
    { numRuns: 300 },
  )
})
