import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readYaml, wrongYamlLine, yamlChange } from '@/features/files/properties/yaml-values.ts'

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
const withValue = (text: string, key: string, value: string): string => {
  const change = yamlChange(text, entryAt(text, key), value)
  if (change === undefined) throw new Error(`${key} takes no ${value}.`)
  return text.slice(0, change.from) + change.insert + text.slice(change.to)
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
    ['a: 1\na: 2\n', 2],
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

const word = fc.stringMatching(/^[a-z]{2}-[a-z]{0,5}$/)
const line = fc.string({ unit: fc.constantFrom(...`aő😀 :#'"\\-,[]{}&*!|>%@\`0.5~?`), maxLength: 12 })

it('any value is read back, and nothing else changes', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { minLength: 1, maxLength: 5 }),
      fc.array(line, { minLength: 5, maxLength: 5 }),
      fc.constantFrom("'", '"', ''),
      line,
      fc.nat(4),
      (names, values, quote, value, at) => {
        const shown = (text: string): string =>
          quote === "'" ? `'${text.replaceAll("'", "''")}'` : quote === '"' ? JSON.stringify(text) : 'plain'
        const text = names
          .map((name, index) => `${name}:\n  # about ${name}\n  of:   ${shown(values[index] ?? '')}  # x\n`)
          .join('')
        const name = names[at % names.length] ?? ''
        const written = withValue(text, `${name}.of`, value)
        const expected = { ...(parse(text) as Record<string, unknown>), [name]: { of: value } }
        const read = new Map(readYaml(written)?.map((entry) => [entry.key, entry.value]))
        for (const each of names) {
          const { of } = expected[each] as { of: unknown }
          expect(read.get(`${each}.of`)).toBe(String(of))
        }
        const comments = (all: string) => all.split('\n').filter((each) => each.includes('# about'))
        expect(comments(written)).toEqual(comments(text))
      },
    ),
    { numRuns: 300 },
  )
})
