import { expect, test } from 'vitest'
import { unbrokenWords } from '../../../src/i18n/unbroken-words.ts'

test('no line ends after the first letter of e-mail, in any language', () => {
  const catalog = { a: { b: 'Erősítsd meg az e-mail-címedet', c: 'E-Mail-Adresse' }, d: 'Re-mailing, two-step' }
  expect(unbrokenWords(catalog)).toEqual({
    a: { b: 'Erősítsd meg az e\u2011mail-címedet', c: 'E\u2011Mail-Adresse' },
    d: 'Re-mailing, two-step',
  })
})
