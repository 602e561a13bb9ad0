import { notFound } from 'next/navigation'
import { setRequestLocale } from 'next-intl/server'
import { isLocale } from '@/i18n/locales.ts'
import type { Locale } from '@/i18n/locales.ts'

export type LocaleProps = { params: Promise<{ locale: string }> }

/** The page's language, also passed to the translations, so that the page is static. */
export const pageLocale = async (params: LocaleProps['params']): Promise<Locale> => {
  const { locale } = await params
  if (!isLocale(locale)) notFound()
  setRequestLocale(locale)
  return locale
}
