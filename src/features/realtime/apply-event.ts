import type { QueryClient } from '@tanstack/react-query'
import type { GatewayMessage } from '#contracts/gateway/events.ts'
import type { Balance } from '#contracts/http/balance.ts'
import type { Notification } from '#contracts/http/notification.ts'
import type { Server } from '#contracts/http/server.ts'
import type { User } from '#contracts/http/user.ts'
import { keys } from '@/lib/queries/queries.ts'
import { noteNotificationsRead } from '@/lib/queries/mark-notifications.ts'
import { withNotice } from '@/lib/queries/notice-store.ts'
import { withServerWord } from '@/lib/queries/server-store.ts'

/**
 * Applies an event of the gateway to the page's data. The event's balance is shown as it is (rule G3); its parts and
 * the list of transactions are refetched, because the event does not contain them.
 */
export const applyEvent = (client: QueryClient, message: GatewayMessage): void => {
  if (message.event === 'balance.change') {
    const { balance } = message.data
    client.setQueryData<User>(keys.me, (user) => (user ? { ...user, balance } : user))
    client.setQueryData<Balance>(keys.balance, (known) => (known ? { ...known, balanceFt: balance } : known))
    void client.invalidateQueries({ queryKey: keys.balance })
    return
  }
  if (message.event === 'server.state.change') {
    const { sid, state } = message.data
    const list = client.getQueryData<Server[]>(keys.servers)
    if (list?.some((server) => server.id === sid)) {
      client.setQueryData<Server[]>(keys.servers, [...withServerWord(list, sid, state)])
    } else {
      void client.invalidateQueries({ queryKey: keys.servers })
    }
    client.setQueryData<Server>(keys.server(sid), (server) => (server ? { ...server, status: state } : server))
    // Somebody or something changed it, and the open log of its activities looks for who.
    void client.invalidateQueries({ queryKey: keys.newActivities(sid) })
    return
  }
  if (message.event === 'notification.new') {
    const list = client.getQueryData<Notification[]>(keys.notifications)
    if (list) client.setQueryData<Notification[]>(keys.notifications, withNotice(list, message.data))
    else void client.invalidateQueries({ queryKey: keys.notifications })
    return
  }
  if (message.event === 'notification.read') {
    noteNotificationsRead(client, message.data.upTo)
    return
  }
  if (message.event === 'resync') void client.invalidateQueries()
}
