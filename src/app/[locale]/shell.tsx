import { NextIntlClientProvider } from 'next-intl'
import { getMessages } from 'next-intl/server'
import type { ReactNode } from 'react'
import { FirstReads } from '@/features/dashboard/first-reads.tsx'
import { Promos } from '@/features/dashboard/promos.tsx'
import { Providers } from '@/features/dashboard/providers.tsx'
import { siteContent } from '@/features/content/queries.ts'
import { appMessages } from '@/i18n/app-messages.ts'
import type { Locale } from '@/i18n/locales.ts'
import { siteUrl } from '@/lib/site/site-url.ts'
import './app.css'

type ShellProps = {
  locale: Locale
  /** The frame, with the last part of its menu as its argument. */
  children: (promos: ReactNode) => ReactNode
}

/** The surroundings of dashboard and panel: texts, external links, realtime link, promotions. */
export const Shell = async ({ locale, children }: ShellProps) => {
  const site = await siteContent(locale)
  return (
    <NextIntlClientProvider locale={locale} messages={appMessages(await getMessages())}>
      <FirstReads />
      <Providers links={{ statusUrl: site.statusUrl, helpUrl: `${siteUrl()}/${locale}#footer` }}>
        {children(<Promos promotions={site.promotions} locale={locale} />)}
      </Providers>
    </NextIntlClientProvider>
  )
}
