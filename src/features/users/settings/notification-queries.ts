'use client'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { NotificationSettings } from '#contracts/http/notification-settings.ts'
import type { NotificationMatrix, PushSubscribe } from '#contracts/http/notification-settings.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { lookAtPush, pushParts } from './push-browser.ts'

const SETTINGS = ['notification-settings'] as const
const BROWSER = ['push-browser'] as const

export const notificationSettingsQuery = () =>
  queryOptions({
    queryKey: SETTINGS,
    queryFn: ({ signal }) => api.call('/api/user/notifications/settings', { schema: NotificationSettings, signal }),
    staleTime: 15_000,
  })

/** This browser's push state; read again when the reader returns from its settings. */
export const pushBrowserQuery = () =>
  queryOptions({ queryKey: BROWSER, queryFn: () => lookAtPush(pushParts()), staleTime: 0, networkMode: 'always' })

/**
 * Changes the matrix on the page at once and then on the site, one change after the other; a refused one is reverted.
 * `draft` is the reader's choice before the site's response.
 */
export const useMatrixChange = () => {
  const client = useQueryClient()
  const [draft, setDraft] = useState<NotificationMatrix | null>(null)
  const change = useMutation({
    scope: { id: 'notification-matrix' },
    mutationFn: (matrix: NotificationMatrix) =>
      api.call('/api/user/notifications/settings', { method: 'PUT', body: { matrix }, schema: NotificationSettings }),
    onSuccess: (_settings, matrix) => setDraft((now) => (now === matrix ? null : now)),
    onError: () => {
      setDraft(null)
      return client.invalidateQueries({ queryKey: SETTINGS })
    },
  })
  const choose = (matrix: NotificationMatrix) => {
    setDraft(matrix)
    client.setQueryData<NotificationSettings>(SETTINGS, (known) => (known ? { ...known, matrix } : known))
    change.mutate(matrix)
  }
  return { draft, choose, ...change }
}

/** Sends this browser's subscription to the site, or null without one. */
export const usePushChange = () => {
  const client = useQueryClient()
  return async (subscription: PushSubscribe | null): Promise<void> => {
    const path = subscription === null ? '/api/user/notifications/push/remove' : '/api/user/notifications/push'
    const body = subscription === null ? {} : { body: subscription }
    const settings = await api.call(path, { method: 'POST', ...body, schema: NotificationSettings })
    client.setQueryData<NotificationSettings>(SETTINGS, settings)
  }
}

export const useLookAgain = () => {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: BROWSER })
}
