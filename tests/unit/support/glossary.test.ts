import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { LOCALES, type Locale } from '#contracts/locale.ts'
import { API_ROUTES } from '#contracts/routes/routes.ts'
import { listFiles } from '../../../scripts/rules/tidy-rules.mjs'
import { forbiddenIn, forbiddenOf, termsMissing, termsOf, textsIn, type ProductText } from '../../support/glossary.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const read = (path: string): string => readFileSync(`${ROOT}/${path}`, 'utf8')
const page = read('docs/words.md')

type Tree = { [name: string]: string | Tree }
const flat = (tree: Tree, prefix = ''): [string, string][] =>
  Object.entries(tree).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[prefix + name, value]] : flat(value, `${prefix}${name}.`),
  )
const catalogs = new Map(
  LOCALES.map((locale) => [locale, new Map(flat(JSON.parse(read(`src/messages/${locale}.json`)) as Tree))]),
)
const catalogTexts = [...catalogs].flatMap(([locale, rows]) =>
  [...rows].map(([place, text]): ProductText => ({ locale, place, text })),
)

const MAILS = 'control-plane/messages/mail/templates'
const mailTexts = (
  [
    ['english', 'en'],
    ['hungarian', 'hu'],
    ['german', 'de'],
  ] as const
).flatMap(([name, locale]) => textsIn(`${MAILS}/${name}.ts`, read(`${MAILS}/${name}.ts`), locale))

const SOURCE = /^(src\/cms|control-plane)\/.*\.tsx?$/
const sources = (): ProductText[] =>
  ['src/cms', 'control-plane']
    .flatMap((folder) => listFiles(ROOT, folder))
    .filter((path) => SOURCE.test(path) && !path.includes('/migrations/') && !path.startsWith(MAILS))
    .map((path) => ({ path, source: read(path) }))
    // Parsing is slow; most files have no text in three languages.
    .filter(({ source }) => /\bwords\(|\bhu:|HUNGARIAN/.test(source))
    .flatMap(({ path, source }) => textsIn(path, source))

test('every text that the glossary names uses its term in each language', () => {
  const textOf = (locale: Locale, key: string) => catalogs.get(locale)?.get(key)
  expect(termsMissing(termsOf(page), textOf)).toEqual([])
})

describe('no forbidden word stands', () => {
  const forbidden = forbiddenOf(page)

  test('in a catalog', () => {
    expect(forbiddenIn(catalogTexts, forbidden)).toEqual([])
  })

  test('in a mail', () => {
    expect(mailTexts.length).toBeGreaterThan(300)
    expect(forbiddenIn(mailTexts, forbidden)).toEqual([])
  })

  test('in a summary of the API', () => {
    const summaries = Object.values(API_ROUTES).map(({ summary }): ProductText => ({
      locale: 'en',
      place: 'API_ROUTES',
      text: summary,
    }))
    expect(summaries.length).toBeGreaterThan(100)
    expect(forbiddenIn(summaries, forbidden)).toEqual([])
  })

  test('in a document, a product or a label of the admin', () => {
    const texts = sources()
    expect(LOCALES.map((locale) => texts.filter((text) => text.locale === locale).length > 300)).toEqual([
      true,
      true,
      true,
    ])
    expect(forbiddenIn(texts, forbidden)).toEqual([])
  })
})

describe('the glossary notices', () => {
  const forbidden = forbiddenOf(page)
  const planted = (locale: Locale, text: string) => forbiddenIn([{ locale, place: 'x', text }], forbidden).length

  test.each([
    ['en', 'Go on', 1],
    ['en', 'Continue', 0],
    ['en', 'We sent a mail.', 1],
    ['en', 'We sent an e-mail to your mailbox.', 0],
    ['hu', 'Ön belépett.', 1],
    ['hu', 'Önállóan megoldottad.', 0],
    ['de', 'Wir danken Ihnen.', 1],
    ['de', 'Hilf ihnen.', 0],
    ['de', 'inkl. 27 % USt.', 1],
    ['de', 'Deine USt-IdNr.', 0],
  ] as const)('in %s: "%s" has %s', (locale, text, count) => {
    expect(planted(locale, text)).toBe(count)
  })

  test('a text without its term, and a key that does not exist', () => {
    const terms = [{ stems: { en: ['balance'], hu: ['egyenleg'], de: ['guthaben'] }, keys: ['a', 'b'] }]
    const found = termsMissing(terms, (_, key) => (key === 'a' ? 'Your balance, egyenleg' : undefined))
    expect(found).toHaveLength(4)
  })

  test('texts of calls, tables and constants of a language, and nothing else', () => {
    const source = `import x from 'y'
      const ENGLISH = { a: 'one', b: (n: number) => \`two \${n} three\` }
      const label = words('four', 'négy', 'vier')
      const table = { en: 'five', hu: 'öt', de: 'fünf' }
      const other = 'six'`
    const texts = textsIn('x.ts', source)
    const of = (locale: Locale) => texts.filter((each) => each.locale === locale).map(({ text }) => text)
    expect([of('en'), of('hu'), of('de')]).toEqual([
      ['one', 'two ', ' three', 'four', 'five'],
      ['négy', 'öt'],
      ['vier', 'fünf'],
    ])
  })
})
