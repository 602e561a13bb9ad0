'use client'

import { useQuery } from '@tanstack/react-query'
import * as z from 'zod'
import { api } from '@/lib/browser-client/browser-client.ts'
import { adminQueries } from '../money/admin-queries.ts'
import { askAdmin } from '../money/ask-admin.ts'

const EVERY_MS = 30_000

/** The balance and the servers of a ticket's customer, which are read again by themselves; null for colleagues, whom support does not see. */
export const useCustomer = (ticketId: string) =>
  useQuery(
    {
      queryKey: ['admin', 'ticket customer', ticketId],
      queryFn: async () => {
        const answer = await askAdmin('GET /api/ticket/{id}/customer', { id: ticketId })
        if (!answer.ok && answer.code === 'FORBIDDEN') return null
        if (!answer.ok) throw new Error('The facts about the customer could not be read')
        return answer.body
      },
      refetchInterval: EVERY_MS,
    },
    adminQueries,
  )

const Account = z.object({
  username: z.string(),
  identifier: z.string().nullish(),
  email: z.string().optional(),
  maskedContact: z.string().nullish(),
  language: z.string(),
  verified: z.boolean(),
  suspended: z.boolean().nullish(),
  accountState: z.string().nullish(),
})
export type Account = z.infer<typeof Account>
const Accounts = z.object({ docs: z.array(Account) })

/** The part of an account that the reader may see; null for one that they don't see, as support its colleagues. */
export const useAccount = (id: string) =>
  useQuery(
    {
      queryKey: ['admin', 'account', id],
      queryFn: async () =>
        (await api.call(`/api/cms/users?depth=0&limit=1&where[id][equals]=${id}`, { schema: Accounts })).docs[0] ??
        null,
    },
    adminQueries,
  )
