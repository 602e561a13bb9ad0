'use client'
import { useQuery } from '@tanstack/react-query'
import { useLocale } from 'next-intl'
import { useMemo } from 'react'
import type { DescribedFile } from '#contracts/panel/described-files.ts'
import type { Locale } from '@/i18n/locales.ts'
import type { OpenForm } from './use-open-form.ts'

type PropertyText = {
  readonly name: string
  readonly help: string
  /** The names of the values of a choice. */
  readonly options?: Readonly<Record<string, string>>
}
/** The texts of each key. */
export type PropertyTexts = Readonly<Record<string, PropertyText | undefined>>

/** Beside the catalog: nobody loads them who opens no such file. */
const TEXTS: Readonly<Record<Locale, () => Promise<{ default: PropertyTexts }>>> = {
  en: () => import('@/messages/server-properties/en.json'),
  hu: () => import('@/messages/server-properties/hu.json'),
  de: () => import('@/messages/server-properties/de.json'),
}

/** The texts of one language. */
export const readPropertyTexts = async (locale: Locale): Promise<PropertyTexts> => (await TEXTS[locale]()).default

/** The texts that a template brings along with the description of a file. */
export const describedTexts = ({ fields }: DescribedFile): PropertyTexts =>
  Object.fromEntries(
    fields.map(({ key, kind, name, help }) => [
      key,
      { name, help, ...(kind.is === 'choice' && kind.names !== undefined ? { options: kind.names } : {}) },
    ]),
  )

/** The texts of the keys in the reader's language; undefined until they have arrived. */
export const usePropertyTexts = ({ described }: OpenForm): PropertyTexts | undefined => {
  const locale = useLocale()
  const { data } = useQuery({
    queryKey: ['property-texts', locale],
    queryFn: () => readPropertyTexts(locale),
    enabled: described === null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return useMemo(() => (described === null ? data : describedTexts(described)), [described, data])
}
