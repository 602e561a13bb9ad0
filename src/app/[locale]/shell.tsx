import { NextIntlClientProvider } from 'next-intl'
import { getMessages } from 'next-intl/server'
import type { ReactNode } from 'react'
import { Promos } from '@/features/dashboard/promos.tsx'
import { Providers } from '@/features/dashboard/providers.tsx'
import { siteContent } from '@/features/content/queries.ts'
import { appMessages } from '@/i18n/app-messages.ts'
import type { Locale } from '@/i18n/locales.ts'
import { siteUrl } from '@/lib/site/site-url.ts'
import './app.css'

/**
 * What every page of the frame reads first. The browser requests it with the page's own scripts, and the scripts find it there instead
 * of beginning to ask once they run.
 */
const FIRST_READS = ['/api/user/me', '/api/user/servers', '/api/balance'] as const

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
      {FIRST_READS.map((path) => (
        <link key={path} rel="preload" as="fetch" href={path} crossOrigin="anonymous" />
      ))}
      <Providers links={{ statusUrl: site.statusUrl, helpUrl: `${siteUrl()}/${locale}#footer` }}>
        {children(<Promos promotions={site.promotions} locale={locale} />)}
      </Providers>
    </NextIntlClientProvider>
  )
}
