'use client'
import { useTranslations } from 'next-intl'
import type { PropertyKind } from '#domain/config-files/server-properties.ts'

/** A bound at or above this is none that anybody meets. */
const UNBOUNDED = 2_147_483_647

/** As they are typed: without signs between the thousands. */
const bounds = ({ min, max, preset }: Extract<PropertyKind, { is: 'number' }>) => ({
  min: String(min),
  max: String(max),
  preset,
})

/** The values that a key takes and its preset, in a few words; an empty text where there is nothing to say. */
export const usePropertyFacts = (): ((kind: PropertyKind | undefined) => string) => {
  const t = useTranslations('files.form')
  return (kind) => {
    if (kind === undefined || kind.is === 'secret' || kind.is === 'allocation') return ''
    if (kind.is === 'switch') return t(kind.preset === 'true' ? 'presetOn' : 'presetOff')
    if (kind.preset === '') return ''
    if (kind.is !== 'number') return t('preset', { value: kind.preset })
    return t(kind.max >= UNBOUNDED ? 'from' : 'range', bounds(kind))
  }
}

/** The values that a key takes, for a sentence about one that it does not. */
export const useRefusalText = (isOfMinecraft: boolean): ((kind: PropertyKind) => string) => {
  const t = useTranslations('files.form')
  return (kind) => {
    if (kind.is === 'number') return t(kind.max >= UNBOUNDED ? 'notFrom' : 'notInRange', bounds(kind))
    if (kind.is === 'choice') return t('notOption', { preset: kind.preset })
    // Minecraft takes every other word for off; most programs take their preset.
    return isOfMinecraft ? t('notSwitch') : t('notOption', { preset: kind.preset })
  }
}
