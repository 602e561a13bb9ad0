'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { PowerAnswer } from '#contracts/http/server.ts'
import type { PowerAction } from '#contracts/http/server.ts'
import { api } from '../browser-client/browser-client.ts'
import { ApiFailure } from '../browser-client/failure.ts'
import { keys } from './queries.ts'
import { newRequestId } from '../browser-client/request-id.ts'

/**
 * Requests a power action. The state itself arrives from the node over the realtime link; the lists are refetched as
 * well.
 */
export const usePower = (serverId: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (action: PowerAction) =>
      api.call(`/api/server/${encodeURIComponent(serverId)}/power`, {
        method: 'POST',
        body: { action, requestId: newRequestId() },
        schema: PowerAnswer,
        // A stop may be sent while the page is being left.
        keepalive: true,
      }),
    onError: (failure) => {
      // A permission that was taken away meanwhile: the page shows what the reader may do now.
      if (failure instanceof ApiFailure && failure.code === 'FORBIDDEN') {
        void client.invalidateQueries({ queryKey: keys.server(serverId) })
      }
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keys.servers })
      void client.invalidateQueries({ queryKey: keys.server(serverId) })
    },
  })
}
