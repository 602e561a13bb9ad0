import { DAY_MS } from '#domain/billing/period.ts'

type Paid = { id: string; name: string; identifier: string; expiry: string; monthlyPriceFt: number }

export type Due = {
  readonly id: string
  readonly name: string
  readonly identifier: string
  readonly at: string
  readonly amountFt: number
  /** What stays after it; negative is what is missing by then. */
  readonly leftFt: number
}
export type Runway = {
  /** Renewals of the next `days` days, soonest first; past ones are still due. */
  readonly dues: readonly Due[]
  readonly totalFt: number
  /** The first renewal that the balance does not cover; null when all are covered. */
  readonly short: Due | null
}

const byMoment = (a: Paid, b: Paid) => Date.parse(a.expiry) - Date.parse(b.expiry)

/** How far a balance goes when every server is renewed for a month on its day. Amounts are whole forints. */
export const runwayOf = (
  balanceFt: number,
  servers: readonly Paid[],
  window: { nowMs: number; days: number },
): Runway => {
  const endMs = window.nowMs + window.days * DAY_MS
  let leftFt = balanceFt
  const dues = servers
    .filter((server) => Date.parse(server.expiry) <= endMs && server.monthlyPriceFt > 0)
    .toSorted(byMoment)
    .map((server): Due => {
      leftFt -= server.monthlyPriceFt
      const { id, name, identifier, expiry, monthlyPriceFt } = server
      return { id, name, identifier, at: expiry, amountFt: monthlyPriceFt, leftFt }
    })
  return {
    dues,
    totalFt: dues.reduce((sum, due) => sum + due.amountFt, 0),
    short: dues.find((due) => due.leftFt < 0) ?? null,
  }
}
