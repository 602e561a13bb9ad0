import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { REINSTALL_FILES } from '#contracts/http/panel/reinstall.ts'
import { SecurityChange } from '#contracts/mail/mail.ts'
import { groupOfActivity } from '#domain/servers/activity-groups.ts'
import {
  activityWord,
  KNOWN_TYPES,
  typesWithWords,
  type ActivityWord,
} from '../../../../src/features/activities/activity-words.ts'
import de from '../../../../src/messages/de.json'
import en from '../../../../src/messages/en.json'
import hu from '../../../../src/messages/hu.json'

const sources = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))

const programs = [...sources('control-plane'), ...sources('agents'), ...sources('src/identity')]

/**
 * The texts that stand for a type of an activity in a program, as they are written down: literals, and texts with a
 * part that varies.
 */
const stated = programs.flatMap((text) =>
  [...text.matchAll(/(?<![-\w])(?:type|CRASH_LOOP)(?::| =)(.*)/g)].flatMap(([, right = '']) =>
    [...right.matchAll(/(['`])((?!node:)[a-z]+[.:][^'`]+|log(?:in|out))\1/g)].map((found) => found[2] ?? ''),
  ),
)
// The one file name among them is a part of a form.
const written = stated.filter((type) => !type.includes('${') && !type.endsWith('.xml'))
/** The vocabulary that game panels share is written down wherever a node or the control plane decides on a type. */
const shared = programs.flatMap((text) =>
  [...text.matchAll(/['`](server:[a-z][a-z.:-]*)['`]/g)].map(([, type = '']) => type),
)
const powers = ['start', 'stop', 'restart', 'kill'].flatMap((action) => [`server.${action}`, `server:power.${action}`])

const changes = SecurityChange.options.map((change) => `security.${change}`)
const decisions = ['confirmed', 'refused'].map((decided) => `staff.proposal-${decided}`)
const reinstallations = REINSTALL_FILES.map((files) => `server:reinstall.${files}`)
const varied = [...powers, ...changes, ...decisions, ...reinstallations]

test('every type that a program writes down has words in each language', () => {
  expect(written.length).toBeGreaterThan(60)
  expect(shared.length).toBeGreaterThan(25)
  for (const type of [...written, ...shared, ...varied, 'logout', 'logout.everywhere']) {
    const word = activityWord(type)
    expect(word, type).toBeDefined()
    for (const catalog of [en, hu, de]) expect(word && catalog.activities.types[word]).toBeTruthy()
  }
})

test('the types with a part that varies are those that are listed here', () => {
  const varying = stated.filter((type) => type.includes('${'))
  expect(varying.toSorted()).toEqual([
    'security.${change}',
    'server:power.${action}',
    'server:reinstall.${request.files}',
    'staff.proposal-${decided}',
  ])
})

test('a type of a newer node has none, and neither have names that every object knows', () => {
  for (const type of ['server:teleported', 'constructor', '__proto__', '']) expect(activityWord(type)).toBeUndefined()
})

test('every type of a server is in a group, so that its page can filter it and knows who may read it', () => {
  const ofServers = [...KNOWN_TYPES, ...shared].filter((type) => /^(?:server[.:]|order\.|withdrawal\.)/.test(type))
  expect(ofServers.length).toBeGreaterThan(40)
  expect(ofServers.filter((type) => groupOfActivity(type) === 'other')).toEqual([])
})

test('a search in words finds types whatever its case and accents', () => {
  const words = (word: ActivityWord) => hu.activities.types[word]
  expect(typesWithWords('UJRAINDIT', words)).toEqual(['server.restart', 'server:power.restart'])
  expect(typesWithWords('  ', words)).toEqual([])
})
