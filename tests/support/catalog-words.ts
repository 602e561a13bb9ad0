import { readFileSync } from 'node:fs'

import { unbrokenWords } from '../../src/i18n/unbroken-words.ts'

export type CatalogLanguage = 'en' | 'hu' | 'de'
export type CatalogWords = (key: string, values?: Readonly<Record<string, string>>) => string

const catalogOf = (language: CatalogLanguage): unknown =>
  unbrokenWords(JSON.parse(readFileSync(new URL(`../../src/messages/${language}.json`, import.meta.url), 'utf8')))

/** The site's sentences in one language, by their keys; `{name}` is replaced by the value. */
export const catalogWords = (language: CatalogLanguage): CatalogWords => {
  const catalog = catalogOf(language)
  return (key, values = {}) => {
    const found = key
      .split('.')
      .reduce<unknown>((place, part) => (place as Record<string, unknown> | undefined)?.[part], catalog)
    if (typeof found !== 'string') throw new Error(`The catalog has no sentence ${key}.`)
    return Object.entries(values).reduce((text, [name, value]) => text.replaceAll(`{${name}}`, value), found)
  }
}
