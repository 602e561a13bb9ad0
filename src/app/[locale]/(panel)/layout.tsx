import type { Metadata } from 'next'
import { NextIntlClientProvider } from 'next-intl'
import { getMessages } from 'next-intl/server'
import type { ReactNode } from 'react'
import { RunwayNote } from '@/features/billing/runway-note.tsx'
import { siteContent } from '@/features/content/queries.ts'
import { pageLocale } from '@/features/dashboard/page-props.ts'
import type { LocaleProps } from '@/features/dashboard/page-props.ts'
import { PanelFrame } from '@/features/dashboard/panel-frame.tsx'
import { Providers } from '@/features/dashboard/providers.tsx'
import { siteUrl } from '@/lib/site-url.ts'
import { appMessages } from '@/i18n/app-messages.ts'

export const metadata: Metadata = { robots: { index: false, follow: false } }

const PanelLayout = async ({ children, params }: LocaleProps & { children: ReactNode }) => {
  const locale = await pageLocale(params)
  const site = await siteContent(locale)
  return (
    <NextIntlClientProvider locale={locale} messages={appMessages(await getMessages())}>
      <Providers links={{ statusUrl: site.statusUrl, helpUrl: `${siteUrl()}/${locale}#footer` }}>
        <PanelFrame note={<RunwayNote />}>{children}</PanelFrame>
      </Providers>
    </NextIntlClientProvider>
  )
}

export default PanelLayout
