'use client'

import { useAuth } from '@payloadcms/ui'
import { useQuery } from '@tanstack/react-query'
import * as z from 'zod'
import type { Ticket } from '#contracts/http/desk/ticket-entity.ts'
import { LOCALES, type Locale } from '#contracts/locale.ts'
import { filledReply, type ReplyValues } from '#domain/tickets/canned-reply.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { adminQueries } from '../money/admin-queries.ts'
import { useAdminLanguage } from '../money/use-admin-language.ts'
import { useCustomer } from './use-customer.ts'

/** More than staff would look through; a search narrows them. */
const MOST = 500

const Texts = z.partialRecord(z.enum(LOCALES), z.string().nullable())
const Replies = z.object({ docs: z.array(z.object({ id: z.string(), title: Texts.nullish(), text: Texts.nullish() })) })
type Reply = z.infer<typeof Replies>['docs'][number]

/** The active replies with their texts in all languages. */
const useReplies = () =>
  useQuery(
    {
      queryKey: ['admin', 'saved replies'],
      queryFn: async () =>
        (
          await api.call(`/api/cms/canned-replies?locale=all&depth=0&limit=${MOST}&where[active][equals]=true`, {
            schema: Replies,
          })
        ).docs,
    },
    adminQueries,
  )

/** A text in the wished language, or in the first that it was written in. */
const textIn = (texts: z.infer<typeof Texts>, wished: Locale): string =>
  [wished, ...LOCALES]
    .map((locale) => texts[locale])
    .find((text) => text !== undefined && text !== null && text !== '') ?? ''

export type SavedReply = { readonly id: string; readonly title: string; readonly text: string }

/** The name of somebody's only server: of several nobody knows which one is meant. */
const onlyName = (servers: readonly { readonly name: string }[] = []): string | null =>
  servers.length === 1 ? (servers[0]?.name ?? null) : null

/** The saved replies by title, in the customer's language, filled in for a ticket; titles are in the reader's. */
export const useSavedReplies = ({ id, identifier, title, category, opener }: Ticket) => {
  const { locale } = useAdminLanguage()
  const { user } = useAuth<{ id: string; collection: 'users'; username?: string }>()
  const replies = useReplies()
  const customer = useCustomer(id)
  // Colleagues, whom support does not see, read the language of whoever answers them.
  const language = customer.data?.language ?? locale
  const values: ReplyValues = {
    customer: opener.username || null,
    ticket: `#${identifier}`,
    title,
    category: customer.data?.category ?? category,
    server: onlyName(customer.data?.servers),
    staff: user?.username ?? null,
  }
  const shown = ({ id: replyId, title: titles, text }: Reply): SavedReply => ({
    id: replyId,
    title: textIn(titles ?? {}, locale),
    text: filledReply(textIn(text ?? {}, language), values),
  })
  return {
    replies: replies.data
      ?.map(shown)
      .filter(({ text }) => text !== '')
      .toSorted((one, other) => one.title.localeCompare(other.title, locale)),
    isReady: replies.data !== undefined && customer.data !== undefined,
    isFailed: replies.isError || (customer.isError && customer.data === undefined),
    again: () => void Promise.all([replies.refetch(), customer.refetch()]),
  }
}
