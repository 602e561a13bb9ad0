'use client'
import type { QueryClient } from '@tanstack/react-query'
import type { Notification } from '#contracts/http/notification.ts'
import { Nothing } from '#contracts/primitives.ts'
import { api } from '../browser-client/browser-client.ts'
import { withReadUpTo } from './notice-store.ts'
import { keys } from './queries.ts'

/** Marks everything up to `upTo` as read in the page's data, whether it was read here or on another page. */
export const noteNotificationsRead = (client: QueryClient, upTo: string): void => {
  const readAt = new Date().toISOString()
  client.setQueryData<Notification[]>(keys.notifications, (list) => (list ? withReadUpTo(list, upTo, readAt) : list))
}

/** Marks everything up to `upTo` as read. Without a response it stays unread, and the next opening tries again. */
export const markNotificationsRead = async (client: QueryClient, upTo: string): Promise<void> => {
  try {
    await api.call('/api/user/notifications/read', { method: 'POST', body: { upTo }, schema: Nothing })
  } catch {
    return
  }
  noteNotificationsRead(client, upTo)
}
