import { DAY_MS } from '#domain/billing/period.ts'
import type { Runway } from './runway.ts'

/** Horizontal positions are per mille of the drawing's width, vertical ones per cent of its height from the top. */
export type RunwayDrawing = {
  /** From now to where the balance runs out, or to the end of the window. */
  readonly covered: string
  /** The uncovered part after that; null when all is covered. */
  readonly missing: string | null
  /** The same line with the typed top-up; null without one. */
  readonly topped: string | null
  readonly zeroPercent: number
  readonly startPercent: number
  readonly toppedStartPercent: number
  readonly endPercent: number
  readonly stops: readonly { id: string; xPercent: number; yPercent: number; at: string; hasDate: boolean }[]
}

type Wanted = { balanceFt: number; extraFt: number; nowMs: number; days: number }

const top = 14
const bottom = 80
// Overlapping plates and dates are omitted: the list beside the drawing has all. The space is that of the narrowest phone.
const plateRoomPercent = 10
const dateRoomPercent = 18

const round = (value: number) => Math.round(value * 100) / 100

/**
 * Whether a drawing shows more than the list beside it: a balance that runs out, or steps at different times. A single step at the
 * end of 30 days would be a flat line.
 */
export const isWorthDrawing = ({ dues, short }: Pick<Runway, 'dues' | 'short'>): boolean =>
  short !== null || new Set(dues.map(({ at }) => at)).size > 1

/** The balance of the coming days as steps: each renewal is a step down. Draws the result of `runwayOf`. */
export const drawRunway = ({ dues, short }: Pick<Runway, 'dues' | 'short'>, wanted: Wanted): RunwayDrawing => {
  const { balanceFt, extraFt, nowMs, days } = wanted
  const lowest = Math.min(0, ...dues.map((due) => due.leftFt))
  const highest = Math.max(balanceFt + extraFt, 1)
  const yOf = (amountFt: number) => round(top + ((highest - amountFt) / (highest - lowest)) * (bottom - top))
  const xOf = (at: string) => {
    const share = (Date.parse(at) - nowMs) / (days * DAY_MS)
    return round(Math.min(Math.max(share, 0), 1) * 1_000)
  }
  const stairs = (rows: Runway['dues'], raisedFt: number) =>
    rows.map((due) => `H${xOf(due.at)}V${yOf(due.leftFt + raisedFt)}`).join('')
  const before = short === null ? dues : dues.slice(0, dues.indexOf(short))
  const start = `M0 ${yOf(balanceFt)}${stairs(before, 0)}`
  let platedTo = -plateRoomPercent
  let datedTo = dateRoomPercent / 2
  const stops = dues.flatMap((due) => {
    const xPercent = xOf(due.at) / 10
    if (xPercent - platedTo < plateRoomPercent) return []
    platedTo = xPercent
    const hasDate = xPercent - datedTo >= dateRoomPercent / 2 && xPercent <= 97
    if (hasDate) datedTo = xPercent + dateRoomPercent / 2
    return [{ id: due.id, xPercent, yPercent: yOf(due.leftFt), at: due.at, hasDate }]
  })
  return {
    covered: short === null ? `${start}H1000` : `${start}H${xOf(short.at)}V${yOf(0)}`,
    missing: short === null ? null : `M${xOf(short.at)} ${yOf(0)}${stairs(dues.slice(before.length), 0)}H1000`,
    topped: extraFt > 0 ? `M0 ${yOf(balanceFt + extraFt)}${stairs(dues, extraFt)}H1000` : null,
    zeroPercent: yOf(0),
    startPercent: yOf(balanceFt),
    toppedStartPercent: yOf(balanceFt + extraFt),
    endPercent: yOf(dues.at(-1)?.leftFt ?? balanceFt),
    stops,
  }
}
