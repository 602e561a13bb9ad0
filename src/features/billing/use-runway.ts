'use client'
import { useQuery } from '@tanstack/react-query'
import { balanceQuery, meQuery, serversQuery } from '@/lib/api-client/queries.ts'
import { runwayOf } from './runway.ts'
import type { Runway } from './runway.ts'

const runwayDays = 30

/** The runway of the reader's own servers; undefined while the balance or the list is not there. */
export const useRunway = (extraFt = 0): Runway | undefined => {
  const balance = useQuery(balanceQuery()).data
  const servers = useQuery(serversQuery()).data
  const me = useQuery(meQuery()).data
  if (!balance || !servers || !me) return undefined
  const own = servers.filter((server) => server.owner.id === me.id)
  return runwayOf(balance.balanceFt + extraFt, own, { nowMs: Date.now(), days: runwayDays })
}
