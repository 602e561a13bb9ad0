'use client'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import * as z from 'zod'
import { Balance, InvoicePage, TransactionPage } from '#contracts/http/balance.ts'
import type { TransactionGroup } from '#contracts/http/balance.ts'
import { TopupCheck } from '#contracts/http/payment.ts'
import { NotificationList } from '#contracts/http/notification.ts'
import { Server } from '#contracts/http/server.ts'
import { Service } from '#contracts/http/service.ts'
import { TransactionDetail } from '#contracts/http/transaction-detail.ts'
import { User } from '#contracts/http/user.ts'
import { WithdrawalOffers } from '#contracts/http/withdrawal.ts'
import { answerAge } from '../browser-client/answer-age.ts'
import { api } from '../browser-client/browser-client.ts'
import { mergeServers } from './server-store.ts'
import { readWithToldWords } from './told-words.ts'

export const keys = {
  ping: (url: string) => ['ping', url],
  me: ['me'],
  servers: ['servers'],
  server: (id: string) => ['server', id],
  serverActivities: (id: string) => ['server-activities', id],
  newActivities: (id: string) => ['new-activities', id],
  notifications: ['notifications'],
  services: ['services'],
  balance: ['balance'],
  transactions: ['balance', 'transactions'],
  transaction: (id: string, status: string) => ['balance', 'transaction', id, status],
  topupCheck: (id: string) => ['topup-check', id],
  invoices: ['balance', 'invoices'],
  withdrawals: ['withdrawals'],
  quote: ['quote'],
  tickets: ['tickets'],
  /** Those that the search of the whole site has found. */
  foundTickets: ['found-tickets'],
  ticket: (id: string) => ['ticket', id],
} as const

// A region that failed, or whose response has an age, refetches by itself, so that the page recovers when the control
// plane is back.
const healEveryMs = 10_000
const heal = (query: { state: { status: string } }): number | false =>
  query.state.status === 'error' || answerAge.asOfMs() !== null ? healEveryMs : false

export const meQuery = () =>
  queryOptions({
    queryKey: keys.me,
    queryFn: ({ signal }) => api.call('/api/user/me', { schema: User, signal }),
    staleTime: 60_000,
    refetchInterval: heal,
  })

export const serversQuery = () =>
  queryOptions({
    queryKey: keys.servers,
    queryFn: ({ client, signal }) =>
      readWithToldWords(client, async () =>
        mergeServers(await api.call('/api/user/servers', { schema: z.array(Server), signal })),
      ),
    staleTime: 15_000,
    refetchInterval: heal,
  })

export const serverQuery = (id: string) =>
  queryOptions({
    queryKey: keys.server(id),
    queryFn: async ({ client, signal }) => {
      const read = () => api.call(`/api/server/${encodeURIComponent(id)}`, { schema: Server, signal })
      const [server] = await readWithToldWords(client, async () => [await read()])
      return server
    },
    staleTime: 15_000,
    refetchInterval: heal,
  })

const notificationsShown = 50

export const notificationsQuery = () =>
  queryOptions({
    queryKey: keys.notifications,
    queryFn: ({ signal }) =>
      api.call(`/api/user/notifications?limit=${notificationsShown}`, { schema: NotificationList, signal }),
    staleTime: 60_000,
    refetchInterval: heal,
  })

/** Contracts that can be withdrawn from. */
export const withdrawalsQuery = () =>
  queryOptions({
    queryKey: keys.withdrawals,
    queryFn: ({ signal }) => api.call('/api/withdrawal', { schema: WithdrawalOffers, signal }),
    staleTime: 60_000,
    refetchInterval: heal,
  })

export const servicesQuery = () =>
  queryOptions({
    queryKey: keys.services,
    queryFn: ({ signal }) => api.call('/api/services', { schema: z.array(Service), signal }),
    staleTime: 300_000,
    refetchInterval: heal,
  })

export const balanceQuery = () =>
  queryOptions({
    queryKey: keys.balance,
    queryFn: ({ signal }) => api.call('/api/balance', { schema: Balance, signal }),
    staleTime: 15_000,
    refetchInterval: heal,
  })

const askEveryMs = 2_000
/** How often a payment that failed is looked at: a declined card may be followed by another, whose success still counts. */
const MOST_LOOKS_AT_FAILED = 15

/** The state of a top-up; refetched until it is final. */
export const topupCheckQuery = (transaction: string) =>
  queryOptions({
    queryKey: keys.topupCheck(transaction),
    queryFn: ({ signal }) =>
      api.call('/api/balance/topup/check', { method: 'POST', body: { transaction }, schema: TopupCheck, signal }),
    refetchInterval: ({ state }) => {
      const status = state.data?.status
      if (status === 'finished') return false
      if (status === 'failed' && state.dataUpdateCount >= MOST_LOOKS_AT_FAILED) return false
      return state.status === 'error' ? healEveryMs : askEveryMs
    },
  })

export const invoicesQuery = () =>
  infiniteQueryOptions({
    queryKey: keys.invoices,
    queryFn: ({ signal, pageParam }) =>
      api.call(`/api/balance/invoices${pageParam === null ? '' : `?before=${encodeURIComponent(pageParam)}`}`, {
        schema: InvoicePage,
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    staleTime: 15_000,
    refetchInterval: heal,
  })

/** The document behind a transaction. Refetched when its state changes, because documents are created at its end. */
export const transactionQuery = ({ id, status }: { id: string; status: string }) =>
  queryOptions({
    queryKey: keys.transaction(id, status),
    queryFn: ({ signal }) =>
      api.call(`/api/balance/transactions/${encodeURIComponent(id)}`, { schema: TransactionDetail, signal }),
    staleTime: 60_000,
    refetchInterval: heal,
  })

/** Without a group, all of them. */
export const transactionsQuery = (group?: TransactionGroup) =>
  infiniteQueryOptions({
    queryKey: group === undefined ? keys.transactions : ([...keys.transactions, group] as const),
    queryFn: ({ signal, pageParam }) => {
      const query = new URLSearchParams({ ...(group && { group }), ...(pageParam !== null && { before: pageParam }) })
      return api.call(`/api/balance/transactions?${query.toString()}`, { schema: TransactionPage, signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    staleTime: 15_000,
  })
