'use client'
import type { QueryClient } from '@tanstack/react-query'
import * as z from 'zod'
import type { Notification } from '#contracts/http/notification.ts'
import { api } from './browser-client.ts'
import { withReadUpTo } from './notice-store.ts'
import { keys } from './queries.ts'

const Nothing = z.object({})

/** Marks everything up to `upTo` as read. Without an answer it stays unread: the next opening asks again. */
export const markNotificationsRead = async (client: QueryClient, upTo: string): Promise<void> => {
  try {
    await api.call('/api/user/notifications/read', { method: 'POST', body: { upTo }, schema: Nothing })
  } catch {
    return
  }
  const readAt = new Date().toISOString()
  client.setQueryData<Notification[]>(keys.notifications, (list) => (list ? withReadUpTo(list, upTo, readAt) : list))
}
