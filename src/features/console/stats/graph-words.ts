'use client'
import { useLocale } from 'next-intl'
import { useMemo } from 'react'
import { bytesParts } from './stats-words.ts'

export type GraphFormats = {
  readonly percent: (value: number) => string
  readonly bytes: (value: number) => string
  readonly rate: (value: number) => string
  readonly count: (value: number) => string
}

/** Number formats of the graphs in the reader's language. */
export const useGraphFormats = (): GraphFormats => {
  const locale = useLocale()
  return useMemo(() => {
    const percent = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })
    const bytes = (value: number) => {
      const parts = bytesParts(value, locale)
      return `${parts.value}\u00A0${parts.unit}`
    }
    return {
      percent: (value) => `${percent.format(value)}\u00A0%`,
      bytes,
      rate: (value) => `${bytes(value)}/s`,
      count: (value) => percent.format(value),
    }
  }, [locale])
}

const parts = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

/** Times of day for epoch seconds. */
export const graphTimes = (locale: string, zone: string) => {
  const minute = new Intl.DateTimeFormat(locale, { ...parts, timeZone: zone })
  const second = new Intl.DateTimeFormat(locale, { ...parts, second: '2-digit', timeZone: zone })
  return {
    minute: (time: number) => minute.format(time * 1_000),
    second: (time: number) => second.format(time * 1_000),
  }
}
