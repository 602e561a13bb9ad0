'use client'
import { useQuery } from '@tanstack/react-query'
import { balanceQuery, meQuery, serversQuery } from '@/lib/api-client/queries.ts'
import { runwayOf } from './runway.ts'
import type { Runway } from './runway.ts'

export const runwayDays = 30

/** The runway of the reader's own servers; undefined while the balance or the list is not there, null when it cannot be had. */
export const useRunway = (extraFt = 0): Runway | null | undefined => {
  const queries = { balance: useQuery(balanceQuery()), servers: useQuery(serversQuery()), me: useQuery(meQuery()) }
  const balance = queries.balance.data
  const servers = queries.servers.data
  const me = queries.me.data
  if (!balance || !servers || !me) {
    return Object.values(queries).some((query) => query.isError && query.data === undefined) ? null : undefined
  }
  const own = servers.filter((server) => server.owner.id === me.id)
  return runwayOf(balance.balanceFt + extraFt, own, { nowMs: Date.now(), days: runwayDays })
}
