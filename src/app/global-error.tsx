'use client'
import { useEffect, useSyncExternalStore } from 'react'
import '@/ui/styles/global.css'
import { fallbackLocale, isLocale, localeCookie } from '@/i18n/locales.ts'
import { negotiate, splitLocale } from '@/i18n/negotiate.ts'
import { isChunkFailure, reloadOnce } from '@/lib/errors/chunk-reload.ts'
import { browserReportId, sendBrowserReport } from '@/lib/errors/browser-report.ts'
import { errorWords } from '@/lib/errors/error-words.ts'
import { ReportId } from '@/ui/surfaces/report-id.tsx'

const readerLocale = () => {
  const prefixed = splitLocale(window.location.pathname).locale
  const cookie = new RegExp(`(?:^|; )${localeCookie.name}=([a-z]{2})`).exec(document.cookie)?.[1]
  return prefixed ?? negotiate(isLocale(cookie) ? cookie : null, navigator.language)
}

const neverChanges = () => () => {}

type Props = { error: Error & { digest?: string } }

/** The last resort: the layout or the error page itself has failed. */
const GlobalErrorPage = ({ error }: Props) => {
  const locale = useSyncExternalStore(neverChanges, readerLocale, () => fallbackLocale)
  const words = errorWords(locale)
  const { digest } = error
  useEffect(() => {
    if (isChunkFailure(error) && reloadOnce(Date.now())) return
    if (digest === undefined) sendBrowserReport(error, window.location.pathname)
  }, [error, digest])
  return (
    <html lang={locale}>
      <body>
        <title>{words.error}</title>
        <main className="page frame">
          <h1 className="h2">{words.inError}</h1>
          <ReportId id={digest ?? browserReportId(error)} words={words} />
          <p>
            {/* A full page load, because the failed state must not be kept. */}
            <a className="btn btn-primary btn-l" href="/">
              {words.goHome}
            </a>
          </p>
        </main>
      </body>
    </html>
  )
}

export default GlobalErrorPage
