import { describe, expect, it } from 'vitest'
import { refusedChanges, serverPropertiesForm } from '#domain/config-files/config-form.ts'
import {
  describedProperty,
  isReadAtStart,
  needsRestart,
  refusedValue,
  SERVER_PROPERTIES,
} from '#domain/config-files/server-properties.ts'

const kindOf = (key: string) => {
  const kind = describedProperty(key)?.kind
  if (kind === undefined) throw new Error(`${key} is not described.`)
  return kind
}

describe('a described key', () => {
  it('takes its own preset', () => {
    const wrong = SERVER_PROPERTIES.filter(({ kind }) => refusedValue(kind, kind.preset) !== undefined)
    expect(wrong).toEqual([])
    expect(SERVER_PROPERTIES.length).toBeGreaterThan(65)
  })

  it('stands in one group only', () => {
    expect(new Set(SERVER_PROPERTIES.map(({ key }) => key)).size).toBe(SERVER_PROPERTIES.length)
  })

  it.each<[key: string, value: string, refusal: string | undefined]>([
    ['view-distance', '3', undefined],
    ['view-distance', '32', undefined],
    ['view-distance', '2', 'not-number'],
    ['view-distance', '33', 'not-number'],
    ['view-distance', '10.5', 'not-number'],
    ['view-distance', '', 'not-number'],
    ['view-distance', ' 10', 'not-number'],
    ['max-tick-time', '-1', undefined],
    ['max-tick-time', '-2', 'not-number'],
    ['pvp', 'true', undefined],
    ['pvp', 'FALSE', undefined],
    ['pvp', 'yes', 'not-switch'],
    ['difficulty', 'hard', undefined],
    ['difficulty', 'brutal', 'not-option'],
    ['level-type', 'mypack:islands', undefined],
    ['motd', '', undefined],
    ['server-port', 'x', undefined],
  ])('%s takes %j: %s', (key, value, refusal) => {
    expect(refusedValue(kindOf(key), value)).toBe(refusal)
  })

  it('is not one of another program', () => {
    expect(describedProperty('debug')).toBeUndefined()
    expect(describedProperty('constructor')).toBeUndefined()
  })
})

it.each([
  [1_001, 1_000, true],
  [1_000, 1_000, false],
  [999, 1_000, false],
  [1_001, null, false],
])('a file written at %d waits for a restart of a server that runs since %s: %s', (writtenAtMs, sinceMs, expected) => {
  expect(needsRestart(writtenAtMs, sinceMs)).toBe(expected)
})

it.each([
  ['view-distance=99', 'view-distance=10', ['view-distance']],
  ['view-distance=99', 'view-distance=99', []],
  ['view-distance=12', 'view-distance=10', []],
  ['view-distance=12\npvp=maybe', '', ['pvp']],
  ['plugin=99', '', []],
  // The server reads the last line of a key alone.
  ['view-distance=99\nview-distance=12', 'view-distance=99\nview-distance=10', []],
  ['view-distance=10\nview-distance=99', 'view-distance=10\nview-distance=10', ['view-distance']],
])('%j over %j holds back %j', (text, saved, keys) => {
  expect(refusedChanges(serverPropertiesForm, text, saved)).toEqual(keys)
})

it('is read at start where the server looks for it', () => {
  expect(['server.properties', 'old/server.properties'].map((path) => isReadAtStart(path))).toEqual([true, false])
  expect(isReadAtStart('bukkit.yml', true)).toBe(true)
})
