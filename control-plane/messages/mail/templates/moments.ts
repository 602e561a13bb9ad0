import type { Locale } from '#contracts/locale.ts'
import { unbrokenDate } from '#domain/kernel/unbroken-date.ts'
import { SITE_TIME_ZONE } from '#domain/users/time-zone.ts'

/** Mails are read anywhere, so they name the time zone: the host's own. */
const ZONE = SITE_TIME_ZONE

/** A date and time (ISO 8601) in the language's format, with the zone. */
export const momentIn = (language: Locale, instant: string): string => {
  const format = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: ZONE,
    timeZoneName: 'short',
  })
  return unbrokenDate(format, new Date(instant))
}

/** A duration in minutes, in the largest unit that divides it. */
export function spanOf(minutes: number): { readonly count: number; readonly unit: 'minute' | 'hour' | 'day' } {
  if (minutes % 1_440 === 0) return { count: minutes / 1_440, unit: 'day' }
  return minutes % 60 === 0 ? { count: minutes / 60, unit: 'hour' } : { count: minutes, unit: 'minute' }
}
