'use client'
import { useParams } from 'next/navigation'
import { useEffect } from 'react'
import { isChunkFailure, reloadOnce } from '@/lib/errors/chunk-reload.ts'
import { errorWords } from '@/lib/errors/error-words.ts'
import { shownError } from '@/lib/errors/shown-error.ts'
import { browserReportId, sendBrowserReport } from '@/lib/errors/browser-report.ts'
import { Button, ButtonLink } from '@/ui/controls/button.tsx'
import { ReportId } from '@/ui/surfaces/report-id.tsx'

type Props = { error: Error & { digest?: string }; reset: () => void }

/** The message or 'Error', the status or 500, and the report id; first it says what is safe. */
const ErrorPage = ({ error, reset }: Props) => {
  const { locale } = useParams()
  const words = errorWords(locale)
  const { message, status, reportId } = shownError(error)
  useEffect(() => {
    if (isChunkFailure(error) && reloadOnce(Date.now())) return
    // Server errors are logged already under their id; only the browser knows the others.
    if (reportId === null) sendBrowserReport(error, window.location.pathname)
  }, [error, reportId])
  return (
    <main id="main" className="nf frame">
      <div className="sign nf__sign" aria-hidden="true">
        <div className="sign__in">
          <b>{status}</b>
        </div>
      </div>
      <div className="nf__t">
        <h1 className="h1">{words.title}</h1>
        <p className="lead">
          <span className="vh">{status} </span>
          {message ?? words.error}
        </p>
        <p className="t2">{words.safe}</p>
        <ReportId id={reportId ?? browserReportId(error)} words={words} />
        <div className="btns">
          <Button look="primary" size="l" onClick={reset}>
            {words.retry}
          </Button>
          <ButtonLink size="l" href="/">
            {words.backHome}
          </ButtonLink>
        </div>
      </div>
    </main>
  )
}

export default ErrorPage
