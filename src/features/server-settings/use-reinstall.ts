'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ReinstallAnswer } from '#contracts/http/panel/reinstall.ts'
import type { ReinstallRequest } from '#contracts/http/panel/reinstall.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { keys } from '@/lib/queries/queries.ts'

/** Orders a reinstallation; its progress is the state of the server. */
export const useReinstall = (serverId: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: ReinstallRequest) =>
      api.call(`/api/server/${encodeURIComponent(serverId)}/reinstall`, {
        method: 'POST',
        body,
        schema: ReinstallAnswer,
      }),
    // Refused or not, the page may have shown an older name or state.
    onSettled: () => client.invalidateQueries({ queryKey: keys.server(serverId) }),
  })
}
