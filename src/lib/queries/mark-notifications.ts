'use client'
import type { QueryClient } from '@tanstack/react-query'
import type { Notification } from '#contracts/http/notification.ts'
import { Nothing } from '#contracts/primitives.ts'
import { api } from '../browser-client/browser-client.ts'
import { withReadUpTo } from './notice-store.ts'
import { keys } from './queries.ts'

/** Brings into the page's data that everything up to `upTo` was read, here or on another page of the reader. */
export const noteNotificationsRead = (client: QueryClient, upTo: string): void => {
  const readAt = new Date().toISOString()
  client.setQueryData<Notification[]>(keys.notifications, (list) => (list ? withReadUpTo(list, upTo, readAt) : list))
}

/** Marks everything up to `upTo` as read. Without an answer it stays unread: the next opening asks again. */
export const markNotificationsRead = async (client: QueryClient, upTo: string): Promise<void> => {
  try {
    await api.call('/api/user/notifications/read', { method: 'POST', body: { upTo }, schema: Nothing })
  } catch {
    return
  }
  noteNotificationsRead(client, upTo)
}
