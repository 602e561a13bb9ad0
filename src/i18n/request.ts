import { readFile } from 'node:fs/promises'
import { getRequestConfig } from 'next-intl/server'
import { siteSettings } from '../lib/site/env.ts'
import { hasSettings } from '../lib/site/site-url.ts'
import { fallbackLocale, isLocale, siteTimeZone } from './locales.ts'
import type { Locale } from './locales.ts'
import { unbrokenWords } from './unbroken-words.ts'
import type en from '../messages/en.json'

type Catalog = typeof en

const catalogs = {
  en: () => import('../messages/en.json'),
  hu: () => import('../messages/hu.json'),
  de: () => import('../messages/de.json'),
}

const readCatalog = async (locale: Locale): Promise<Catalog> => {
  const file = hasSettings() && locale === 'en' ? siteSettings().catalogFile : undefined
  if (file !== undefined) return JSON.parse(await readFile(/* turbopackIgnore: true */ file, 'utf8')) as Catalog
  return (await catalogs[locale]()).default
}

const known = new Map<Locale, Promise<Catalog>>()

/** Each language is read once: every page of the site needs it. */
const catalogOf = (locale: Locale): Promise<Catalog> => {
  const read = known.get(locale) ?? readCatalog(locale).then(unbrokenWords)
  known.set(locale, read)
  return read
}

export default getRequestConfig(async ({ requestLocale }) => {
  const requested = await requestLocale
  const locale = isLocale(requested) ? requested : fallbackLocale
  return { locale, messages: await catalogOf(locale), timeZone: siteTimeZone }
})
