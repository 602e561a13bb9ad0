import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { GUIDE_BOUNDS, GuideList } from '#contracts/guides/guide-link.ts'
import type { Locale } from '@/i18n/locales.ts'
import { api } from '../browser-client/browser-client.ts'

const STALE_MS = 5 * 60_000

/** All published guides, in the language of the page. */
export const guidesQuery = (locale: Locale) =>
  queryOptions({
    queryKey: ['guides', locale],
    queryFn: ({ signal }) => api.call('/api/guides', { schema: GuideList, signal }),
    staleTime: STALE_MS,
  })

/** The guides that match a text. A failed read is not repeated: they are a help beside a form, and nothing waits for them. */
export const matchingGuidesQuery = (text: string, locale: Locale) => {
  const wanted = text.trim().slice(0, GUIDE_BOUNDS.searched)
  return queryOptions({
    queryKey: ['guides', locale, wanted],
    queryFn: ({ signal }) =>
      api.call('/api/guides/matching', { method: 'POST', body: { text: wanted }, schema: GuideList, signal }),
    enabled: wanted.length > 2,
    staleTime: STALE_MS,
    retry: false,
    placeholderData: keepPreviousData,
  })
}
