import type { TicketMessage } from '#contracts/http/ticket.ts'
import { dayIn } from '@/lib/format/day.ts'

/** The lines of one calendar day of the reader, `day` as `2026-11-20`. */
export type TicketDay = { readonly day: string; readonly lines: readonly [TicketMessage, ...TicketMessage[]] }

/** Lines by the days of the reader's zone, in their order. */
export const daysOf = (lines: readonly TicketMessage[], timeZone: string | undefined): readonly TicketDay[] =>
  lines.reduce<TicketDay[]>((days, line) => {
    const day = dayIn(line.createdAt, timeZone)
    const last = days.at(-1)
    return last?.day === day
      ? [...days.slice(0, -1), { day, lines: [...last.lines, line] }]
      : [...days, { day, lines: [line] }]
  }, [])
