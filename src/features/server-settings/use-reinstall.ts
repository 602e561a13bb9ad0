'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ReinstallAnswer } from '#contracts/http/panel/reinstall.ts'
import type { ReinstallRequest } from '#contracts/http/panel/reinstall.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { keys } from '@/lib/queries/queries.ts'

/**
 * Orders a reinstallation; its progress is the state of the server. The state may arrive before the answer and replace the form
 * that ordered it: `onOrdered` is called even then.
 */
export const useReinstall = (serverId: string, onOrdered: () => void) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: ReinstallRequest) =>
      api.call(`/api/server/${encodeURIComponent(serverId)}/reinstall`, {
        method: 'POST',
        body,
        schema: ReinstallAnswer,
      }),
    onSuccess: onOrdered,
    // Refused or not, the page may have shown an older name or state.
    onSettled: () => client.invalidateQueries({ queryKey: keys.server(serverId) }),
  })
}
