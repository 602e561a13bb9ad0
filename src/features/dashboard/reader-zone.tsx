'use client'
import { useQuery } from '@tanstack/react-query'
import { NextIntlClientProvider, useLocale } from 'next-intl'
import type { ReactNode } from 'react'
import { meQuery } from '@/lib/queries/queries.ts'
import { useBrowserZone } from '@/ui/screen/browser-zone.ts'

/** Everything below formats dates in the person's chosen zone, else in the browser's; `useTimeZone` returns it. */
export const ReaderZone = ({ children }: { children: ReactNode }) => {
  const locale = useLocale()
  const chosen = useQuery(meQuery()).data?.timeZone
  const browser = useBrowserZone()
  return (
    <NextIntlClientProvider locale={locale} timeZone={chosen || browser}>
      {children}
    </NextIntlClientProvider>
  )
}
