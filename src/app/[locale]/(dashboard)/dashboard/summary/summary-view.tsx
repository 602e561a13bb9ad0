'use client'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import type { Server } from '#contracts/http/server.ts'
import { deletionAtMs } from '#domain/billing/lifetime.ts'
import { shownWordOf } from '#domain/servers/status.ts'
import { lastsCell, nextDueCell } from '@/features/billing/balance-board.tsx'
import { DuePanel } from '@/features/billing/due-panel.tsx'
import { useRunway } from '@/features/billing/use-runway.ts'
import { LampCounts, ServersPanel } from '@/features/servers/servers-panel.tsx'
import { watchReport } from '@/features/servers/watch-report.ts'
import type { WatchKind } from '@/features/servers/watch-report.ts'
import { balanceQuery, meQuery, serversQuery } from '@/lib/queries/queries.ts'
import { formatDate } from '@/lib/format/date.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { Board } from '@/ui/surfaces/board.tsx'
import { buttonClass } from '@/ui/controls/button.tsx'
import { LampGlyph } from '@/ui/signs/lamp.tsx'
import type { LampKind } from '@/ui/signs/lamp.tsx'
import { StepLine } from '@/ui/signs/step-line.tsx'
import { Together, useTogether } from '@/ui/surfaces/together.tsx'

const lamps: Readonly<Record<WatchKind, LampKind | null>> = {
  crashed: 'crash',
  errorOnStartup: 'crash',
  expired: 'due',
  maintenance: 'away',
  suspended: 'held',
  installing: 'busy',
  moving: 'busy',
  fine: 'done',
  none: null,
}

const wordsOf = (servers: readonly Server[]) => servers.map((server) => shownWordOf(server, Date.now()))

/** The day until which the first of the expired servers is kept; empty without one. */
const keptUntil = (
  servers: readonly Server[],
  { locale, timeZone }: { locale: string; timeZone: string | undefined },
) => {
  const [first] = servers
    .filter((server) => shownWordOf(server, Date.now()) === 'expired')
    .map(({ expiry }) => deletionAtMs(Date.parse(expiry)))
    .toSorted((a, b) => a - b)
  return first === undefined ? '' : formatDate(new Date(first), locale, { style: 'day', timeZone })
}

type Seen = { servers: readonly Server[] | undefined; isMissing: boolean }

const Report = ({ servers, isMissing }: Seen) => {
  const t = useTranslations('summary')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const report = watchReport(wordsOf(servers ?? []))
  const when = { locale, timeZone }
  const lamp = servers ? lamps[report.kind] : isMissing ? 'away' : null
  const sentence = servers
    ? t(`report.${report.kind}`, { count: report.count, others: report.others, date: keptUntil(servers, when) })
    : t(isMissing ? 'missing' : 'reading')
  return (
    <header className="page-h report">
      <div>
        <h1>
          {lamp ? (
            <span className={`lamp lamp-${lamp}`}>
              <LampGlyph kind={lamp} />
            </span>
          ) : null}
          <span>{sentence}</span>
        </h1>
        <p suppressHydrationWarning>
          {servers ? formatDate(new Date(), locale, { style: 'weekday', timeZone }) : '\u00A0'}
        </p>
      </div>
    </header>
  )
}

const Watch = ({ servers, isMissing }: Seen) => {
  const t = useTranslations('summary')
  const tb = useTranslations('balance')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const balance = useQuery(balanceQuery())
  const runway = useRunway()
  return (
    <div className="mb-6">
      <Board
        columns={4}
        cells={[
          {
            id: 'servers',
            term: t('servers'),
            value: servers?.length ? <LampCounts words={wordsOf(servers)} /> : servers ? 0 : '–',
            note: servers ? t('total', { count: servers.length }) : isMissing ? tb('unknown') : undefined,
          },
          {
            id: 'balance',
            term: t('balance'),
            value: balance.data ? formatMoney(balance.data.balanceFt, locale) : '–',
            note: balance.isError ? t('balanceMissing') : undefined,
          },
          lastsCell(tb, { locale, timeZone }, runway),
          nextDueCell(tb, { locale, timeZone }, runway),
        ]}
      />
    </div>
  )
}

/** For a reader without a server: the steps to the first one as a line, with one button. */
const FirstRun = () => {
  const t = useTranslations('summary.first')
  const balanceFt = useQuery(balanceQuery()).data?.balanceFt ?? 0
  const hasMoney = balanceFt > 0
  return (
    <section className="first" aria-label={t('title')}>
      <StepLine
        steps={[
          { id: 'account', state: 'done', children: <Stop title={t('account')} text={t('accountText')} /> },
          {
            id: 'topup',
            state: hasMoney ? 'done' : 'current',
            children: <Stop title={t('topup')} text={t('topupText')} />,
          },
          {
            id: 'rent',
            state: hasMoney ? 'current' : 'ahead',
            children: <Stop title={t('rent')} text={t('rentText')} />,
          },
          { id: 'play', state: 'ahead', children: <Stop title={t('play')} text={t('playText')} /> },
        ]}
      />
      <div className="btns">
        <PageLink
          className={buttonClass({ look: 'primary', size: 'l' })}
          href={hasMoney ? '/dashboard/services/game' : '/dashboard/balance/summary'}
        >
          {t(hasMoney ? 'toRent' : 'toTopup')}
        </PageLink>
        {hasMoney ? null : (
          <PageLink className={buttonClass({ size: 'l' })} href="/dashboard/services/game">
            {t('look')}
          </PageLink>
        )}
      </div>
    </section>
  )
}

const Stop = ({ title, text }: { title: string; text: string }) => (
  <div className="first-stop">
    <b>{title}</b>
    <span className="t2 small">{text}</span>
  </div>
)

/** The watch report: is everything running, until when is it paid, what is due next. */
export const SummaryView = () => {
  const t = useTranslations('summary')
  const query = useQuery(serversQuery())
  const phase = useTogether(query, useQuery(balanceQuery()), useQuery(meQuery()))
  // The sentence may need a second line, so it comes with everything below it.
  const servers = phase === 'ready' ? query.data : undefined
  const isMissing = phase === 'ready' && query.isError
  return (
    <div className="page">
      <Report servers={servers} isMissing={isMissing} />
      <Together phase={phase} reading={t('readingAll')}>
        <Watch servers={servers} isMissing={isMissing} />
        {servers?.length === 0 ? (
          <FirstRun />
        ) : (
          <div className="cols">
            <div className="col">
              <ServersPanel />
            </div>
            <div className="col">
              <DuePanel />
            </div>
          </div>
        )}
      </Together>
    </div>
  )
}
