import { describe, expect, it } from 'vitest'
import { serverPropertiesForm } from '../../../../../src/domain/config-files/config-form.ts'
import { readProperties } from '../../../../../src/domain/config-files/java-properties.ts'
import { PROPERTY_GROUPS } from '../../../../../src/domain/config-files/server-properties.ts'
import { entryAtLine, groupedRows, missingFields } from '../../../../../src/features/files/properties/property-rows.ts'

const TEXT = '# comment\nplugin-key=1\npvp=true\nmotd=one \\\n  two\ngamemode=survival\npvp=false\n'
const entries = readProperties(TEXT) ?? []
const form = serverPropertiesForm
const texts = { pvp: { name: 'PvP', help: 'Players can hurt each other.' } }

const sorting = { form, groups: PROPERTY_GROUPS, texts, search: '' }

describe('the rows of the form', () => {
  it('stand in the order of the table by group; unknown keys come last', () => {
    expect(groupedRows(entries, sorting).map(({ group, rows }) => [group, rows.map(({ entry }) => entry.key)])).toEqual(
      [
        ['game', ['gamemode', 'pvp']],
        ['list', ['motd']],
        ['other', ['plugin-key']],
      ],
    )
  })

  it('show of a key that stands twice the value that counts, and say so', () => {
    const pvp = groupedRows(entries, sorting)
      .flatMap(({ rows }) => rows)
      .find(({ entry }) => entry.key === 'pvp')
    expect([pvp?.entry.value, pvp?.hidden]).toEqual(['false', 1])
  })

  it.each([
    ['HURT', ['pvp']],
    ['plugin', ['plugin-key']],
    ['nothing like it', []],
  ])('are found by %s', (search, keys) => {
    const found = groupedRows(entries, { ...sorting, search }).flatMap(({ rows }) => rows.map(({ entry }) => entry.key))
    expect(found).toEqual(keys)
  })

  it('can be added for keys that the file does not have, except those of the rented address', () => {
    const keys = missingFields(form, entries).map(({ key }) => key)
    expect(keys).toContain('difficulty')
    for (const key of ['pvp', 'gamemode', 'server-port', 'server-ip']) expect(keys).not.toContain(key)
  })
})

it.each([
  [1, undefined],
  [2, 'plugin-key'],
  [4, 'motd'],
  [5, 'motd'],
  [6, 'gamemode'],
  [8, undefined],
])('the cursor in line %i is at %s', (line, key) => {
  expect(entryAtLine(TEXT, entries, line)?.key).toBe(key)
})
