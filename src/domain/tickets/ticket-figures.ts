import { dayAfter } from '../kernel/calendar-day.ts'
import { replyTime, type ReplyTime } from './reply-time.ts'

/** Over how many days staff read figures: calendar days of the house, today included. */
export const FIGURE_DAYS = ['7', '30', '90'] as const
export type FigureDays = (typeof FIGURE_DAYS)[number]

/**
 * The kinds of tickets that are counted: those opened; those that staff replied to first; those closed after a reply, and without one; those in
 * which a customer waits now (decision 96).
 */
export const FIGURE_KINDS = ['opened', 'answered', 'solved', 'unanswered', 'waiting'] as const

/**
 * The tickets of one kind: how many, how long the shares of `REPLY_SHARES` took at most in milliseconds, and how many of them were
 * rated good and bad.
 */
export type Tally = {
  readonly kind: (typeof FIGURE_KINDS)[number]
  readonly count: number
  readonly waits: readonly number[] | null
  readonly good: number
  readonly bad: number
}

/** Figures of some tickets. Times are null below ten tickets, like the reply time that customers read. */
export type Figures = {
  readonly opened: number
  readonly answered: number
  readonly solved: number
  readonly unanswered: number
  readonly waiting: number
  readonly firstReply: ReplyTime | null
  readonly solving: ReplyTime | null
  readonly good: number
  readonly bad: number
}

/** The figures of what was counted; a kind that is missing has no tickets. A ticket is rated once it is closed, with a reply or without. */
export const figuresOf = (tallies: readonly Tally[]): Figures => {
  const of = (kind: Tally['kind']) => tallies.find((tally) => tally.kind === kind)
  const count = (kind: Tally['kind']) => of(kind)?.count ?? 0
  const time = (kind: Tally['kind']) => replyTime({ replies: count(kind), waits: of(kind)?.waits ?? [] })
  const rated = (rating: 'good' | 'bad') => (of('solved')?.[rating] ?? 0) + (of('unanswered')?.[rating] ?? 0)
  return {
    opened: count('opened'),
    answered: count('answered'),
    solved: count('solved'),
    unanswered: count('unanswered'),
    waiting: count('waiting'),
    firstReply: time('answered'),
    solving: time('solved'),
    good: rated('good'),
    bad: rated('bad'),
  }
}

/** The last so many days up to `today`, oldest first; days are written 2026-11-20. */
export const lastDays = (today: string, days: FigureDays): readonly string[] =>
  Array.from({ length: Number(days) }, (_, at) => dayAfter(today, at + 1 - Number(days)))
