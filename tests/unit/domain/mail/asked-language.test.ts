import { expect, it } from 'vitest'
import { LOCALES } from '#contracts/locale.ts'
import { askedLanguage } from '#domain/mail/asked-language.ts'

const asked = (accept: string | null, content: string | null = null) =>
  askedLanguage(
    [
      ...(content === null ? [] : [{ name: 'content-language', value: content }]),
      ...(accept === null ? [] : [{ name: 'accept-language', value: accept }]),
    ],
    LOCALES,
  )

it.each([
  ['hu-HU, en;q=0.5', null, 'hu'],
  ['en;q=0.5, de-AT;q=0.8, hu;q=0.7', null, 'de'],
  ['fr, HU;q=0.2', null, 'hu'],
  ['de;q=0, hu;q=0.1', null, 'hu'],
  ['de', 'hu', 'de'],
  ['fr', 'hu', 'hu'],
  [null, 'de-DE', 'de'],
  [null, 'de, en', 'de'],
])('Accept-Language %j and Content-Language %j ask for %s', (accept, content, language) => {
  expect(asked(accept, content)).toBe(language)
})

it.each([null, '', 'fr', '*', 'deutsch', 'hun', 'de;q=0', 'de;q=x', `${'x,'.repeat(1_000)}hu`])(
  '%j asks for none of ours',
  (accept) => {
    expect(asked(accept)).toBeUndefined()
  },
)
