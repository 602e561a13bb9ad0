import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { builtPanelPages, FEATURES, isBuilt, panelPageOf } from '../../../src/contracts/features.ts'
import type { Feature } from '../../../src/contracts/features.ts'
import { API_ROUTES } from '../../../src/contracts/routes/routes.ts'
import { questions } from '../../../src/cms/seed/content/questions.ts'
import { landing } from '../../../src/cms/seed/content/landing.ts'
import { unavailability } from '../../../src/domain/servers/availability.ts'
import { panelEntries } from '../../../src/features/dashboard/entries.ts'
import english from '../../../src/messages/en.json' with { type: 'json' }
import german from '../../../src/messages/de.json' with { type: 'json' }
import hungarian from '../../../src/messages/hu.json' with { type: 'json' }

const paths = Object.keys(API_ROUTES).map((name) => name.split(' ')[1] ?? '')
const hasCall = (path: RegExp) => paths.some((each) => path.test(each))

test('the menu of a panel has the built pages and no other', () => {
  const pages = panelEntries('x').map(({ link }) => link.split('/').at(-1))
  expect(pages.toSorted()).toEqual(builtPanelPages.toSorted())
})

test('an address of a panel is one of the built pages or none', () => {
  expect(panelPageOf('console')).toBe('console')
  expect(panelPageOf('saves')).toBeUndefined()
  expect(panelPageOf('toString')).toBeUndefined()
})

// A feature whose calls arrive makes this fail until the table names it as built, and the other way round.
test.each<[Feature, RegExp]>([
  ['files', /^\/api\/server\/[^/]+\/(?:files|token)/],
  ['saves', /^\/api\/server\/[^/]+\/(?:saves|backups)/],
  ['databases', /^\/api\/server\/[^/]+\/databases/],
  ['timers', /^\/api\/server\/[^/]+\/timers/],
  ['users', /^\/api\/server\/[^/]+\/(?:users|subusers)/],
])('%s counts as built exactly if the API has its calls', (feature, path) => {
  expect(isBuilt(feature)).toBe(hasCall(path))
})

// Their calls came before their pages.
test('tickets count as built exactly if one can be read on a page', () => {
  const page = new URL('../../../src/app/[locale]/(dashboard)/dashboard/ticket', import.meta.url)
  expect(isBuilt('tickets')).toBe(existsSync(page))
})

test('a VPS counts as built exactly if one can be ordered', () => {
  const template = { runtimes: ['process'], hasImages: false }
  expect(isBuilt('vps')).toBe(unavailability({ category: 'vps', template }, ['process']) === null)
})

/** The words by which the public texts would promise a feature, in all three languages. */
const PROMISES: Partial<Record<Feature, RegExp>> = {
  saves: /\bbackups?\b|\bmentés|\bSicherung/iu,
  files: /(?<!game )\bfiles\b|\bfájl|\bDatei/iu,
  timers: /\btimers?\b|\bidőzítő|\bZeitpl/iu,
  databases: /\bdatabases?\b|\badatbázis|\bDatenbank/iu,
  users: /\bsub-users?\b|\bcrew\b|\btárs(?:ad|aid|ak)|\balfelhasznál|\bdein Team\b/iu,
  tickets: /\btickets?\b|\bhibajegy/iu,
  vps: /\bVPS\b/u,
}

const textsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

test('neither the landing page nor its first content promises a feature that is not built', () => {
  const pages = [english, hungarian, german].map((catalog) => ({ ...catalog.landing, demoNav: null }))
  const texts = textsOf([pages, landing, questions])
  expect(texts.length).toBeGreaterThan(200)
  const promised = (Object.keys(FEATURES) as Feature[])
    .filter((feature) => !isBuilt(feature))
    .flatMap((feature) => texts.filter((text) => PROMISES[feature]?.test(text)).map((text) => `${feature}: ${text}`))
  expect(promised).toEqual([])
})
