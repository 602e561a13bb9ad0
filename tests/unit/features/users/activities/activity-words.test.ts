import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { SecurityChange } from '#contracts/mail/mail.ts'
import { activityWord } from '../../../../../src/features/users/activities/activity-words.ts'
import de from '../../../../../src/messages/de.json'
import en from '../../../../../src/messages/en.json'
import hu from '../../../../../src/messages/hu.json'

const sources = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))

/** Types that stand in the programs as they are written down. */
const written = [...sources('control-plane'), ...sources('agents'), ...sources('src/identity')].flatMap((text) =>
  [
    ...text.matchAll(
      /(?:type:|const type =|CRASH_LOOP =|logOutcome\(.*type:) '((?:server:|order\.|topup\.|login|logout|session\.|security\.|discord\.|account\.)[\w:.-]*)'/g,
    ),
  ].map((found) => found[1] ?? ''),
)
const powers = ['start', 'stop', 'restart', 'kill'].flatMap((action) => [`server.${action}`, `server:power.${action}`])

const changes = SecurityChange.options.map((change) => `security.${change}`)

test('every type that a program writes down has words in each language', () => {
  expect(written.length).toBeGreaterThan(14)
  for (const type of [...written, ...powers, ...changes, 'logout', 'logout.everywhere']) {
    const word = activityWord(type)
    expect(word, type).toBeDefined()
    for (const catalog of [en, hu, de]) expect(word && catalog.activities.types[word]).toBeTruthy()
  }
})

test('a type of a newer node has none, and neither have names that every object knows', () => {
  for (const type of ['server:teleported', 'constructor', '__proto__', '']) expect(activityWord(type)).toBeUndefined()
})
