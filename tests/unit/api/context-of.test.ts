import { expect, test } from 'vitest'
import { contextOf } from '../../../src/api/context-of.ts'
import { localeCookie } from '../../../src/i18n/locales.ts'

type Asked = Parameters<typeof contextOf>[0]

const localeFor = (headers: Record<string, string>) =>
  contextOf({
    env: { requestId: 'r', address: '192.0.2.1' },
    req: { raw: new Request('http://localhost/api/services', { headers }) },
  } as unknown as Asked).locale

test.each([
  [
    'of a page in Hungarian, whatever the cookie says',
    { cookie: `${localeCookie.name}=en`, 'accept-language': 'hu' },
    'hu',
  ],
  [
    'of the cookie before the languages of a browser',
    { cookie: `${localeCookie.name}=de`, 'accept-language': 'hu-HU,hu;q=0.9' },
    'de',
  ],
  ['of a browser without the cookie', { 'accept-language': 'hu-HU,hu;q=0.9,en;q=0.8' }, 'hu'],
  ['that everybody reads, English, without either', {}, 'en'],
])('an answer is in the language %s', (_, headers, locale) => {
  expect(localeFor(headers)).toBe(locale)
})
