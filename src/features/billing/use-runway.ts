'use client'
import { useQuery } from '@tanstack/react-query'
import type { Balance } from '#contracts/http/balance.ts'
import { spendableFt } from '#domain/billing/runway.ts'
import type { RunningDiscount } from '#domain/billing/runway.ts'
import { balanceQuery, meQuery, serversQuery } from '@/lib/queries/queries.ts'
import { runwayOf } from './runway.ts'
import type { Runway } from './runway.ts'

export const runwayDays = 30

const discountOf = ({ renewalDiscount }: Balance): RunningDiscount | null =>
  renewalDiscount && {
    percent: renewalDiscount.percent,
    untilMs: renewalDiscount.until === null ? null : Date.parse(renewalDiscount.until),
  }

/**
 * The runway of the reader's own servers; undefined while balance or list are loading, null if they are unavailable.
 */
export const useRunway = (extraFt = 0): Runway | null | undefined => {
  const queries = { balance: useQuery(balanceQuery()), servers: useQuery(serversQuery()), me: useQuery(meQuery()) }
  const balance = queries.balance.data
  const servers = queries.servers.data
  const me = queries.me.data
  if (!balance || !servers || !me) {
    return Object.values(queries).some((query) => query.isError && query.data === undefined) ? null : undefined
  }
  // A control plane of the previous release does not send renewals.
  const renewing = balance.renewing ?? servers.filter((server) => server.owner.id === me.id)
  const window = { nowMs: Date.now(), days: runwayDays, discount: discountOf(balance) }
  return runwayOf(spendableFt(balance, extraFt), renewing, window)
}
