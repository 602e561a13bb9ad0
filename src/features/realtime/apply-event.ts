import type { QueryClient } from '@tanstack/react-query'
import type { GatewayMessage } from '#contracts/gateway/events.ts'
import type { Balance } from '#contracts/http/balance.ts'
import type { Notification } from '#contracts/http/notification.ts'
import type { Server } from '#contracts/http/server.ts'
import type { User } from '#contracts/http/user.ts'
import type { ServerWord } from '#domain/servers/status.ts'
import { keys } from '@/lib/queries/queries.ts'
import { noteNotificationsRead } from '@/lib/queries/mark-notifications.ts'
import { withNotice } from '@/lib/queries/notice-store.ts'
import { withServerWord } from '@/lib/queries/server-store.ts'
import { noteToldWords } from '@/lib/queries/told-words.ts'

/** The list is not asked for the same server again so soon: it may be one that the reader does not see. */
const ASK_AGAIN_AFTER_MS = 10_000
const askedAt = new WeakMap<QueryClient, Map<string, number>>()

const isFirstQuestion = (client: QueryClient, sid: string): boolean => {
  const asked = askedAt.get(client) ?? new Map<string, number>()
  askedAt.set(client, asked)
  if ((asked.get(sid) ?? -Infinity) > Date.now() - ASK_AGAIN_AFTER_MS) return false
  asked.set(sid, Date.now())
  return true
}

const readList = (client: QueryClient) => client.invalidateQueries({ queryKey: keys.servers }, { cancelRefetch: false })

/**
 * Loads the list for servers that it does not contain. A load that is under way is not cut off; as it may have been asked for before
 * the server existed, it is repeated when it ends without it.
 */
const readFor = async (client: QueryClient, sids: readonly string[]): Promise<void> => {
  const isUnderWay = client.isFetching({ queryKey: keys.servers }) > 0
  await readList(client)
  const list = client.getQueryData<Server[]>(keys.servers)
  if (isUnderWay && list && sids.some((sid) => !list.some(({ id }) => id === sid))) await readList(client)
}

/**
 * Applies the newest states of servers. The list is loaded again only for a server that it does not contain: states may come many
 * times a second.
 */
export const applyStates = (client: QueryClient, words: ReadonlyMap<string, ServerWord>): void => {
  noteToldWords(client, words)
  const list = client.getQueryData<Server[]>(keys.servers)
  const known = new Set(list?.map(({ id }) => id))
  if (list) {
    const changed = [...words].reduce<readonly Server[]>((all, [sid, word]) => withServerWord(all, sid, word), list)
    if (changed !== list) client.setQueryData<Server[]>(keys.servers, [...changed])
  }
  const missing = [...words.keys()].filter((sid) => !known.has(sid) && isFirstQuestion(client, sid))
  if (missing.length > 0) void readFor(client, missing)
  for (const [sid, word] of words) {
    const server = client.getQueryData<Server>(keys.server(sid))
    if (server && server.status !== word) client.setQueryData<Server>(keys.server(sid), { ...server, status: word })
    // Somebody or something changed it, and the open log of its activities looks for who.
    void client.invalidateQueries({ queryKey: keys.newActivities(sid) })
  }
}

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
    applyStates(client, new Map([[message.data.sid, message.data.state]]))
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
  if (message.event === 'ticket.update') {
    void client.invalidateQueries({ queryKey: keys.tickets })
    void client.invalidateQueries({ queryKey: keys.foundTickets })
    void client.invalidateQueries({ queryKey: keys.ticket(message.data.id) })
    // A deleted ticket takes its bells along.
    const bells = client.getQueryData<Notification[]>(keys.notifications)
    if (bells?.some(({ data }) => (data.ticketId ?? data.aboutTicketId) === message.data.id))
      void client.invalidateQueries({ queryKey: keys.notifications })
    return
  }
  if (message.event === 'resync') void client.invalidateQueries()
}

/**
 * Reads again what only events change: the page read it before its link was open, and nobody told it what came in between. The
 * states of servers are told by the gateway itself (rule G9).
 */
export const catchUp = (client: QueryClient): void => {
  for (const queryKey of [keys.notifications, keys.tickets, ['ticket']]) void client.invalidateQueries({ queryKey })
}
