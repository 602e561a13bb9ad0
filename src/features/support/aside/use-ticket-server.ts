'use client'
import { useQuery } from '@tanstack/react-query'
import type { ServerContext } from '#contracts/http/desk/server-context.ts'
import type { Server } from '#contracts/http/server.ts'
import { serversQuery } from '@/lib/queries/queries.ts'

/** The server that a ticket is about as it is now: undefined while it is read, null if the reader has it no more. */
export const useTicketServer = (context: ServerContext | undefined) => {
  const { data, isError } = useQuery({ ...serversQuery(), enabled: context !== undefined })
  const isSettled = context === undefined || data !== undefined || isError
  const server: Server | null | undefined =
    context === undefined || data === undefined ? undefined : (data.find(({ id }) => id === context.serverId) ?? null)
  return { server, isSettled }
}
