import { getRequestConfig } from 'next-intl/server'
import { fallbackLocale, isLocale, siteTimeZone } from './locales.ts'
import type en from '../messages/en.json'

const catalogs = {
  en: () => import('../messages/en.json'),
  hu: () => import('../messages/hu.json'),
  de: () => import('../messages/de.json'),
}

export default getRequestConfig(async ({ requestLocale }) => {
  const requested = await requestLocale
  const locale = isLocale(requested) ? requested : fallbackLocale
  const messages: typeof en = (await catalogs[locale]()).default
  return { locale, messages, timeZone: siteTimeZone }
})
