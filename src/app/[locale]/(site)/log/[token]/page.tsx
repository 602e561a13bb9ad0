import type { Metadata } from 'next'
import { getTranslations, setRequestLocale } from 'next-intl/server'
import { headers } from 'next/headers'
import { CopyLog } from '@/features/console/share/copy-log.tsx'
import { SharedLines } from '@/features/console/share/shared-lines.tsx'
import { SiteFrame } from '@/features/content/components/site-frame.tsx'
import { siteTimeZone } from '@/i18n/locales.ts'
import type { Locale } from '@/i18n/locales.ts'
import { bucketKey } from '@/identity/context/limits.ts'
import { identity } from '@/identity/dependencies.ts'
import { formatDate } from '@/lib/format/date.ts'
import { timeUntil } from '@/lib/format/relative-time.ts'
import { requestContext } from '@/lib/requests/request-context.ts'
import { readSharedLog } from '@/lib/site/shared-log.ts'
import '@/features/console/console.css'

// The log belongs to one link, which may end at any moment: nothing of it is kept.
export const dynamic = 'force-dynamic'

type Props = { params: Promise<{ locale: Locale; token: string }> }

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { locale } = await params
  const words = await getTranslations({ locale, namespace: 'site.log' })
  return { title: words('title'), robots: { index: false, follow: false } }
}

const Missing = async ({ locale, status, text }: { locale: Locale; status: 404 | 429 | 503; text: string }) => (
  <SiteFrame locale={locale} path="/" className="page frame">
    <div data-status={String(status)}>
      <h1 className="h1">{(await getTranslations('site.log'))('title')}</h1>
      <p className="lead">{text}</p>
    </div>
  </SiteFrame>
)

const isAllowed = async (): Promise<boolean> => {
  const { address } = requestContext(await headers())
  return (await identity().limits.take('sharedLog', bucketKey('sharedLog', { address }))).ok
}

/** A range of a server's log that somebody has shared. */
const SharedLogPage = async ({ params }: Props) => {
  const { locale, token } = await params
  setRequestLocale(locale)
  const [words, common] = await Promise.all([getTranslations('site.log'), getTranslations('common')])
  if (!(await isAllowed())) return <Missing locale={locale} status={429} text={words('tooMany')} />
  const log = await readSharedLog(token, locale)
  if (log === undefined) return <Missing locale={locale} status={503} text={words('unavailable')} />
  if (log === null) return <Missing locale={locale} status={404} text={words('ended')} />
  const left = timeUntil(Date.parse(log.endsAt), Date.now(), locale)
  const stamp = (moment: string) => formatDate(moment, locale, { style: 'stamp', timeZone: siteTimeZone })
  return (
    <SiteFrame locale={locale} path="/" className="page frame">
      <header className="shared-head">
        <div>
          <h1 className="h1">{words('of', { game: log.game[locale] })}</h1>
          <p className="t2">{words('times', { created: stamp(log.createdAt), ends: stamp(log.endsAt), left })}</p>
        </div>
        <CopyLog
          text={log.text}
          words={{ copy: common('copy'), copied: common('copied'), copyFailed: common('copyFailed') }}
        />
      </header>
      <div className="shared-log" role="region" aria-label={words('title')} tabIndex={0}>
        <SharedLines text={log.text} />
      </div>
      <p className="t2 small">{words('note')}</p>
    </SiteFrame>
  )
}

export default SharedLogPage
