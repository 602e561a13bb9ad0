'use client'
import { useLocale, useTranslations } from 'next-intl'
import type { PropertyKind } from '#domain/config-files/server-properties.ts'

/** A bound at or above this is none that anybody meets. */
const UNBOUNDED = 2_147_483_647

/** The values that a key takes and its preset, in a few words; an empty text where there is nothing to say. */
export const usePropertyFacts = (): ((kind: PropertyKind | undefined) => string) => {
  const t = useTranslations('files.form')
  const locale = useLocale()
  const format = (number: number) => number.toLocaleString(locale)
  return (kind) => {
    if (kind === undefined || kind.is === 'secret' || kind.is === 'allocation') return ''
    if (kind.is === 'switch') return t(kind.preset === 'true' ? 'presetOn' : 'presetOff')
    if (kind.preset === '') return ''
    if (kind.is !== 'number') return t('preset', { value: kind.preset })
    const preset = format(Number(kind.preset))
    return kind.max >= UNBOUNDED
      ? t('from', { min: format(kind.min), preset })
      : t('range', { min: format(kind.min), max: format(kind.max), preset })
  }
}

/** The values that a key takes, for a sentence about one that it does not. */
export const useRefusalText = (): ((kind: PropertyKind) => string) => {
  const t = useTranslations('files.form')
  const locale = useLocale()
  return (kind) => {
    if (kind.is === 'number') {
      const [min, max, preset] = [kind.min, kind.max, Number(kind.preset)].map((number) =>
        number.toLocaleString(locale),
      )
      return t(kind.max >= UNBOUNDED ? 'notFrom' : 'notInRange', {
        min: min ?? '',
        max: max ?? '',
        preset: preset ?? '',
      })
    }
    return kind.is === 'choice' ? t('notOption', { preset: kind.preset }) : t('notSwitch')
  }
}
