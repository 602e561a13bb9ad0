import { createTranslator } from 'next-intl'
import { expect, test } from 'vitest'
import en from '../../../src/messages/en.json' with { type: 'json' }
import { parseSettings } from '../../../src/lib/site/env.ts'
import { PSEUDO, pseudoCatalog, pseudoText } from '../../support/pseudo-catalog.ts'
import type { Catalog } from '../../support/pseudo-catalog.ts'

test.each([
  ['Close', 'Clōsē ōū'],
  ['{name}', '{name}'],
  ['Hello, {name}!', 'Hēllō,  ōū ōū ōū{name}!'],
  ['{count, plural, one {# day} other {# days}}', '{count, plural, one {# dāy ōū} other {# dāys ōū}}'],
  ['I accept the <terms>terms</terms>.', 'Ī āccēpt thē  ōū ōū<terms>tērms ōū</terms>.'],
])('%s becomes longer and is marked, its arguments are not', (text, expected) => {
  const squeeze = (value: string) => value.replaceAll(/(?: ōū)+/g, '+').replaceAll(/\s+/g, ' ')
  expect(squeeze(pseudoText(text))).toBe(squeeze(expected))
})

const texts = (catalog: Catalog): string[] =>
  Object.values(catalog).flatMap((value) => (typeof value === 'string' ? [value] : texts(value)))

test('every message of it can be formatted, is marked, and is longer than the English one', () => {
  const [plain, pseudo] = [texts(en), texts(pseudoCatalog(en))]
  const failed: string[] = []
  for (const [at, text] of pseudo.entries()) {
    const original = plain[at] ?? ''
    const words = original.replaceAll(/<[^>]+>|\{\w+\}/g, '')
    if (/[aeiou]{1}\w/i.test(words.replaceAll(/\{[^{}]*,[^]*\}/g, '')))
      expect.soft(PSEUDO.test(text) && text.length > original.length, original).toBe(true)
    const translate = createTranslator<Record<string, unknown>>({
      locale: 'en',
      messages: { text },
      timeZone: 'Europe/Budapest',
      onError: (error) => failed.push(`${error.message}: ${text}`),
    }) as unknown as { raw: (key: string) => unknown; rich: (key: string, values: object) => unknown }
    const names = [...text.matchAll(/\{\s*(\w+)\s*[,}]/g)].map((match) => [match[1], 1])
    const tags = [...text.matchAll(/<(\w+)>/g)].map((match) => [match[1], (chunks: unknown) => chunks])
    translate.rich('text', Object.fromEntries([...names, ...tags]))
  }
  expect(failed).toEqual([])
})

test('no production reads a catalog from a file', () => {
  const environment = {
    DATABASE_URL: 'postgres://x/y',
    INTERNAL_SECRET: 'i'.repeat(32),
    PAYLOAD_SECRET: 'p'.repeat(32),
    SITE_URL: 'https://a.test',
    CONTROL_PLANE_URL: 'http://b.test',
    GATEWAY_URL: 'http://c.test',
    SECRETS_KEY: `1:${Buffer.alloc(32, 7).toString('base64')}`,
    CATALOG_FILE: '/somewhere/pseudo.json',
  }
  expect(parseSettings({ ...environment, BAKTER_MODE: 'production' }).catalogFile).toBeUndefined()
  expect(parseSettings({ ...environment, BAKTER_MODE: 'demo' }).catalogFile).toBe('/somewhere/pseudo.json')
})
