import { unbrokenDate } from '#domain/kernel/unbroken-date.ts'
import { siteTimeZone } from '../../i18n/locales.ts'

/**
 * `day` is "dec. 4.", `date` is "2026. november 20.", `weekday` adds the day of the week and the time, `fullDay` the day of the week alone, `time` is "20:14", `dateTime` is date and time, `stamp` is the short
 * date and time of a table row, `clock` is "20:14:05", `month` "2026. november".
 */
export type DateStyle = 'day' | 'date' | 'weekday' | 'fullDay' | 'time' | 'dateTime' | 'stamp' | 'clock' | 'month'

const styles: Readonly<Record<DateStyle, Intl.DateTimeFormatOptions>> = {
  day: { month: 'short', day: 'numeric' },
  date: { year: 'numeric', month: 'long', day: 'numeric' },
  month: { year: 'numeric', month: 'long' },
  weekday: {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  },
  fullDay: { year: 'numeric', month: 'long', day: 'numeric', weekday: 'long' },
  time: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  dateTime: {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  },
  clock: { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  stamp: { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
}

/**
 * A date (Date, ISO text or epoch milliseconds) in the format of the reader's language; empty text for an invalid one.
 */
export const formatDate = (
  moment: Date | string | number,
  locale: string,
  options: { style?: DateStyle; timeZone?: string | undefined } = {},
): string => {
  const date = moment instanceof Date ? moment : new Date(moment)
  if (Number.isNaN(date.getTime())) return ''
  const { style = 'date', timeZone = siteTimeZone } = options
  const format = new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, { ...styles[style], timeZone })
  return unbrokenDate(format, date)
}
