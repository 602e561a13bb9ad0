import type en from '../messages/en.json'
import type { Locale as SiteLocale } from './locales.ts'

// A key missing from the English catalog is a type error.
declare module 'next-intl' {
  interface AppConfig {
    Locale: SiteLocale
    Messages: typeof en
  }
}
