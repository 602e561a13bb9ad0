'use client'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { serversQuery } from '@/lib/queries/queries.ts'
import { otherServers } from './other-servers.ts'

/** The reader's servers that files of this one can go to; none until the list is there. */
export const useOtherServers = (server: Server): readonly Server[] => {
  const { data } = useQuery(serversQuery())
  return useMemo(() => otherServers(data ?? [], server, Date.now()), [data, server])
}
