import { siteTimeZone } from '@/i18n/locales.ts'

export const clockChoices = ['server', 'mine'] as const
export type ClockChoice = (typeof clockChoices)[number]

/** Formats a time of the log: time of day for a row, date and time for exported text. */
export type LogClock = {
  readonly zone: string
  readonly time: (atMs: number) => string
  readonly full: (atMs: number) => string
}

const parts = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const

/** The clock of a time zone. Its format is the log's own, the same in every language. */
export const logClock = (zone: string): LogClock => {
  const time = new Intl.DateTimeFormat('en-GB', { ...parts, timeZone: zone })
  const full = new Intl.DateTimeFormat('sv-SE', {
    ...parts,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    timeZone: zone,
  })
  return { zone, time: (atMs) => time.format(atMs), full: (atMs) => full.format(atMs) }
}

/** Servers use the site's time; the reader has their own zone. */
export const zoneOf = (choice: ClockChoice, readersZone: string): string =>
  choice === 'server' ? siteTimeZone : readersZone

const key = 'bakter.console.clock'

export const readClockChoice = (): ClockChoice => {
  try {
    return window.localStorage.getItem(key) === 'mine' ? 'mine' : 'server'
  } catch {
    return 'server'
  }
}

export const keepClockChoice = (choice: ClockChoice) => {
  try {
    window.localStorage.setItem(key, choice)
  } catch {
    // A browser without storage keeps the choice for as long as the page is open.
  }
}
