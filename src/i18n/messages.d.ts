import type en from '../messages/en.json'
import type { Locale as SiteLocale } from './locales.ts'

// A key that the English catalog does not have is a type error.
declare module 'next-intl' {
  interface AppConfig {
    Locale: SiteLocale
    Messages: typeof en
  }
}
