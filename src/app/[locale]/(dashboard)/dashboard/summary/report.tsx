'use client'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { deletionAtMs } from '#domain/billing/lifetime.ts'
import { shownWordOf } from '#domain/servers/status.ts'
import { watchReport } from '@/features/servers/watch-report.ts'
import type { WatchKind } from '@/features/servers/watch-report.ts'
import { formatDate } from '@/lib/format/date.ts'
import { LampGlyph } from '@/ui/signs/lamp.tsx'
import type { LampKind } from '@/ui/signs/lamp.tsx'

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

/** The shown states of servers. */
export const wordsOf = (servers: readonly Server[]) => servers.map((server) => shownWordOf(server, Date.now()))

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

export type Seen = { servers: readonly Server[] | undefined; isMissing: boolean }

/** The state of all servers in one sentence, with the date; `end` are the tools of the page. */
export const Report = ({ servers, isMissing, end }: Seen & { end: ReactNode }) => {
  const t = useTranslations('summary')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const report = watchReport(wordsOf(servers ?? []))
  const when = { locale, timeZone }
  // The lamp stands from the beginning, so that it does not push the sentence aside when it comes.
  const lamp = servers ? lamps[report.kind] : isMissing ? 'away' : 'busy'
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
      {end}
    </header>
  )
}
