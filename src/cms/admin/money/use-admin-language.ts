'use client'

import { useTranslation } from '@payloadcms/ui'
import { formatDate } from '@/lib/format/date.ts'
import { formatMoney, formatSignedMoney } from '@/lib/format/money.ts'
import type { Locale } from '#contracts/locale.ts'
import { isLocale } from '@/i18n/locales.ts'
import type { Words } from '../../fields/languages.ts'

/** The admin's texts, amounts and times in the reader's language. */
export const useAdminLanguage = () => {
  const { language } = useTranslation().i18n
  const locale: Locale = isLocale(language) ? language : 'en'
  return {
    locale,
    say: (text: Words): string => text[locale],
    /** Words from a list, or the key itself if the list does not contain it. */
    name: (list: Readonly<Record<string, Words>>, word: string): string => list[word]?.[locale] ?? word,
    ft: (amountFt: number): string => formatMoney(amountFt, locale),
    signedFt: (amountFt: number): string => formatSignedMoney(amountFt, locale),
    /** A date of the house's calendar, independent of time zones. */
    day: (date: string): string => formatDate(`${date}T12:00:00Z`, locale, { style: 'date', timeZone: 'UTC' }),
    moment: (instant: string): string => formatDate(instant, locale, { style: 'dateTime' }),
  }
}

export type AdminLanguage = ReturnType<typeof useAdminLanguage>
