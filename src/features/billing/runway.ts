import { forints } from '#domain/billing/money.ts'
import { DAY_MS } from '#domain/billing/period.ts'
import { comingCharges, lastsUntil } from '#domain/billing/runway.ts'
import type { Lasting, RunningDiscount } from '#domain/billing/runway.ts'

export type Paid = { id: string; name: string; identifier: string; expiry: string; monthlyPriceFt: number }

export type Due = {
  /** The id of this one month of the server. */
  readonly id: string
  readonly name: string
  readonly identifier: string
  readonly at: string
  readonly amountFt: number
  /** The balance after it; negative if it is short by then. */
  readonly leftFt: number
}
export type Runway = {
  /** Renewals of the next `days` days, soonest first; overdue ones are included. */
  readonly dues: readonly Due[]
  readonly totalFt: number
  /** The first renewal in this period that the balance does not cover; null when all are covered. */
  readonly short: Due | null
  /** How long it lasts, even beyond this period. */
  readonly lasts: Lasting
  /** The first server that the balance does not cover. */
  readonly lastsName: string
}

type Window = { nowMs: number; days: number; discount?: RunningDiscount | null }

/** How long a balance lasts if every server is renewed for a month when due. Amounts are spendable whole forints. */
export const runwayOf = (balanceFt: number, servers: readonly Paid[], window: Window): Runway => {
  const { nowMs, days, discount = null } = window
  const renewing = servers.map(({ id, monthlyPriceFt, expiry }) => ({
    id,
    monthly: forints(BigInt(monthlyPriceFt)),
    expiresAtMs: Date.parse(expiry),
  }))
  const byId = new Map(servers.map((server) => [server.id, server]))
  let leftFt = balanceFt
  const charges = comingCharges(renewing, { nowMs, untilMs: nowMs + days * DAY_MS, discount })
  const dues = charges.map(({ serverId, round, atMs, amount }): Due => {
    const amountFt = Number(amount.minor)
    leftFt -= amountFt
    const { name = '', identifier = '' } = byId.get(serverId) ?? {}
    const id = round === 0 ? serverId : `${serverId}:${round}`
    return { id, name, identifier, at: new Date(atMs).toISOString(), amountFt, leftFt }
  })
  const lasts = lastsUntil(forints(BigInt(balanceFt)), renewing, { nowMs, discount })
  return {
    dues,
    totalFt: dues.reduce((sum, due) => sum + due.amountFt, 0),
    short: dues.find((due) => due.leftFt < 0) ?? null,
    lasts,
    lastsName: lasts.kind === 'until' ? (byId.get(lasts.serverId)?.name ?? '') : '',
  }
}
