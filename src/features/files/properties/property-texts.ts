'use client'
import { useQuery } from '@tanstack/react-query'
import { useLocale } from 'next-intl'
import type { Locale } from '@/i18n/locales.ts'

/** The name and the explanation of each key. */
export type PropertyTexts = Readonly<Record<string, { readonly name: string; readonly help: string } | undefined>>

/** Beside the catalog: nobody loads them who opens no such file. */
const TEXTS: Readonly<Record<Locale, () => Promise<{ default: Readonly<Record<string, readonly string[]>> }>>> = {
  en: () => import('@/messages/server-properties/en.json'),
  hu: () => import('@/messages/server-properties/hu.json'),
  de: () => import('@/messages/server-properties/de.json'),
}

/** The texts of one language. */
export const readPropertyTexts = async (locale: Locale): Promise<PropertyTexts> => {
  const { default: rows } = await TEXTS[locale]()
  return Object.fromEntries(Object.entries(rows).map(([key, [name = key, help = '']]) => [key, { name, help }]))
}

/** What the reader's language says about the keys; undefined until it has arrived. */
export const usePropertyTexts = (): PropertyTexts | undefined => {
  const locale = useLocale()
  return useQuery({
    queryKey: ['property-texts', locale],
    queryFn: () => readPropertyTexts(locale),
    staleTime: Number.POSITIVE_INFINITY,
  }).data
}
