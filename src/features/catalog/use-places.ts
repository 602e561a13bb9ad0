'use client'
import { useQueries } from '@tanstack/react-query'
import { useLocale } from 'next-intl'
import type { ServicePlace } from '#contracts/http/service.ts'
import { keys } from '@/lib/queries/queries.ts'
import { measurePing } from '@/lib/browser-client/ping.ts'
import { placesOf, type ShownPlace } from './places.ts'

const pingQuery = (url: string) => ({
  queryKey: keys.ping(url),
  queryFn: () => measurePing(url),
  staleTime: 60_000,
  retry: false,
})

/** Places in the reader's language, each with the reader's ping to it once that has been measured. */
export const usePlaces = (places: readonly ServicePlace[]): readonly ShownPlace[] => {
  const locale = useLocale()
  const urls = [...new Set(places.map(({ pingUrl }) => pingUrl))]
  const measured = useQueries({ queries: urls.map(pingQuery) })
  const pings = places.map(({ pingUrl }) => measured[urls.indexOf(pingUrl)]?.data ?? null)
  return placesOf(places, { locale, pings })
}
