import type { Metadata, Viewport } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations, setRequestLocale } from 'next-intl/server'
import type { ReactNode } from 'react'
import '@/ui/styles/global.css'
import { isLocale, locales } from '@/i18n/locales.ts'
import { fontVariables } from '@/lib/fonts/families.ts'
import { roomScript } from '@/lib/messages/message-room.ts'
import { ChunkWatch } from './chunk-watch.tsx'
import { GlobalMessages } from './global-messages.tsx'

// Unknown parameters are rendered on demand: a slug published after the build must not be a 404.
export const generateStaticParams = () => locales.map((locale) => ({ locale }))

export const metadata: Metadata = { title: { default: 'Bakter', template: '%s · Bakter' } }

// Specification section 1: the native wrapper's status bar is dark, #101015.
export const viewport: Viewport = {
  themeColor: '#101015',
  colorScheme: 'dark',
  width: 'device-width',
  initialScale: 1,
  viewportFit: 'cover',
}

type Props = { children: ReactNode; params: Promise<{ locale: string }> }

const LocaleLayout = async ({ children, params }: Props) => {
  const { locale } = await params
  if (!isLocale(locale)) notFound()
  setRequestLocale(locale)
  const words = await getTranslations('common')
  return (
    <html lang={locale} className={fontVariables} data-scroll-behavior="smooth">
      <body>
        <script dangerouslySetInnerHTML={{ __html: roomScript }} />
        <GlobalMessages locale={locale} words={{ label: words('messages'), close: words('close') }} />
        {children}
        <ChunkWatch />
      </body>
    </html>
  )
}

export default LocaleLayout
