'use client'
import { useTimeZone } from 'next-intl'
import { ACTIVITY_WAYS } from '#contracts/activity-ways.ts'
import { ServerActivityFilter } from '#contracts/http/panel/server-activity.ts'
import { ACTIVITY_GROUPS } from '#domain/servers/activity-groups.ts'
import { dayAfter } from '#domain/kernel/calendar-day.ts'
import { dayIn, startOfDayMs } from '@/lib/format/day.ts'
import { minuteMs } from '@/lib/format/minute.ts'
import { useAddressChoice, useAddressText } from '@/ui/screen/address-state.ts'

export const RANGES = ['any', 'today', 'week', 'month', 'own'] as const
export type Range = (typeof RANGES)[number]

/** The reader's filter, as the address of the page keeps it. */
export type Choice = {
  readonly text: string
  readonly who: string
  readonly group: 'all' | (typeof ACTIVITY_GROUPS)[number]
  readonly way: 'any' | (typeof ACTIVITY_WAYS)[number]
  readonly range: Range
  /** The first and the last day of a range of the reader's own; empty for an open end. A link may begin within a day, by its minute. */
  readonly from: string
  readonly until: string
}

const DAYS_BACK = { any: null, today: 0, week: 6, month: 29, own: null } as const

const beginOf = (day: string, timeZone: string | undefined): string | undefined => {
  const atMs = startOfDayMs(day, timeZone)
  return Number.isNaN(atMs) ? undefined : new Date(atMs).toISOString()
}

/** The first day of a range and, if it begins within that day, its minute; an empty day for a text that is neither. */
export const firstOf = (from: string, timeZone: string | undefined): { day: string; atMs: number | null } => {
  const atMs = minuteMs(from)
  if (!Number.isNaN(atMs)) return { day: dayIn(atMs, timeZone), atMs }
  return { day: Number.isNaN(startOfDayMs(from, timeZone)) ? '' : from, atMs: null }
}

/** The bounds of a range in the reader's zone: whole days, so that a page that stays open asks for the same. */
export const boundsOf = (
  { range, from, until }: Pick<Choice, 'range' | 'from' | 'until'>,
  { nowMs, timeZone }: { nowMs: number; timeZone: string | undefined },
): { from?: string; until?: string } => {
  const back = DAYS_BACK[range]
  const first = back === null ? (range === 'own' ? from : '') : dayAfter(dayIn(nowMs, timeZone), -back)
  const { day, atMs } = firstOf(first, timeZone)
  const begin = atMs === null ? beginOf(day, timeZone) : new Date(atMs).toISOString()
  const isBounded = range === 'own' && !Number.isNaN(startOfDayMs(until, timeZone))
  const end = isBounded ? beginOf(dayAfter(until, 1), timeZone) : undefined
  return { ...(begin === undefined ? {} : { from: begin }), ...(end === undefined ? {} : { until: end }) }
}

/** The filter of the call. A value from a foreign address that is none is left out. */
export const filterOf = (
  { text, who, group, way, ...range }: Choice,
  facts: { nowMs: number; timeZone: string | undefined; types: readonly string[] },
): ServerActivityFilter => {
  const typed = text.trim().slice(0, 100)
  const isPerson = ServerActivityFilter.shape.who.safeParse(who).success
  return {
    ...(typed === '' ? {} : { text: typed }),
    ...(typed === '' || facts.types.length === 0 ? {} : { types: facts.types.join(',') }),
    ...(who !== '' && isPerson ? { who } : {}),
    ...(group === 'all' ? {} : { group }),
    ...(way === 'any' ? {} : { way }),
    ...boundsOf(range, facts),
  }
}

export const useActivityChoice = () => {
  const timeZone = useTimeZone()
  const [text, setText] = useAddressText('q')
  const [who, setWho] = useAddressText('who')
  const [group, setGroup] = useAddressChoice('what', ['all', ...ACTIVITY_GROUPS])
  const [way, setWay] = useAddressChoice('way', ['any', ...ACTIVITY_WAYS])
  const [range, setRange] = useAddressChoice('when', RANGES)
  const [from, setFrom] = useAddressText('from')
  const [until, setUntil] = useAddressText('to')
  const choice: Choice = { text, who, group, way, range, from, until }
  const clear = () => {
    setText('')
    setWho('')
    setGroup('all')
    setWay('any')
    setRange('any')
    setFrom('')
    setUntil('')
  }
  return { choice, timeZone, clear, setText, setWho, setGroup, setWay, setRange, setFrom, setUntil }
}
export type ActivityChoice = ReturnType<typeof useActivityChoice>

/** Whether anything is left out. */
export const isFiltered = ({ text, who, group, way, range }: Choice): boolean =>
  text.trim() !== '' || who !== '' || group !== 'all' || way !== 'any' || range !== 'any'
