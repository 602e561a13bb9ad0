'use client'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import type { LogShare } from '#contracts/http/panel/log-share.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { formatDate } from '@/lib/format/date.ts'
import { formatCount } from '@/lib/format/money.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { logSharesQuery, useEndLogShare } from './log-share-queries.ts'

const Row = ({ share, busy, onEnd }: { share: LogShare; busy: boolean; onEnd: () => void }) => {
  const t = useTranslations('console.share')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const stamp = (moment: string) => formatDate(moment, locale, { style: 'stamp', timeZone })
  const created = stamp(share.createdAt)
  return (
    <li>
      <span>
        <b>{t('lines', { count: share.lines, shown: formatCount(share.lines, locale) })}</b>
        {share.mine ? null : ` · ${t('other')}`}
        <span className="t2 small share-times">{t('times', { created, ends: stamp(share.endsAt) })}</span>
      </span>
      <Button size="s" busy={busy} aria-label={`${t('end')}: ${created}`} onClick={onEnd}>
        {t('end')}
      </Button>
    </li>
  )
}

/** The links of this server that are open, each with its end. */
export const OpenLinks = ({ serverId }: { serverId: string }) => {
  const t = useTranslations('console.share')
  const failureText = useFailureText()
  const { data } = useQuery(logSharesQuery(serverId))
  const ending = useEndLogShare(serverId)
  const items = data?.items ?? []
  if (items.length === 0) return null
  return (
    <section className="share-open">
      <h3>{t('open')}</h3>
      {ending.error === null ? null : (
        <Notice tone="stop" role="alert">
          {failureText(ending.error)}
        </Notice>
      )}
      <ul>
        {items.map((share) => (
          <Row
            key={share.id}
            share={share}
            busy={ending.isPending && ending.variables === share.id}
            onEnd={() => ending.mutate(share.id)}
          />
        ))}
      </ul>
    </section>
  )
}
