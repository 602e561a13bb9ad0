'use client'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { formatDate } from '@/lib/format/date.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { plateText } from '@/lib/format/plate-text.ts'
import { LampGlyph } from '@/ui/signs/lamp.tsx'
import { Panel, type PanelTools } from '@/ui/surfaces/panel.tsx'
import { Plate } from '@/ui/signs/plate.tsx'
import { SkeletonRows } from '@/ui/surfaces/states.tsx'
import type { Due, Runway } from './runway.ts'
import { useRunway } from './use-runway.ts'

const DueRow = ({ due }: { due: Due }) => {
  const t = useTranslations('balance')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const isCovered = due.leftFt >= 0
  const left = formatMoney(Math.abs(due.leftFt), locale)
  return (
    <li className={isCovered ? 'full' : 'dash'}>
      <span className="dot" />
      <div className="l1">
        <Plate size="xs">{plateText(due)}</Plate>
        <b className="cut grow">{due.name}</b>
        <span className="nw">{formatMoney(due.amountFt, locale)}</span>
      </div>
      <div className="l2">
        <span className="grow">{formatDate(due.at, locale, { style: 'day', timeZone })}</span>
        <span className="nw">{t(isCovered ? 'stays' : 'missing', { amount: left })}</span>
      </div>
    </li>
  )
}

const ShortMark = () => {
  const t = useTranslations('balance')
  return (
    <li className="cutmark">
      <span className="at">
        <LampGlyph kind="due" />
      </span>
      <div className="l1">
        <b className="grow due-word">{t('runsOut')}</b>
        <PageLink className="link small" href="/dashboard/balance/summary">
          {t('topUp')}
        </PageLink>
      </div>
    </li>
  )
}

const DueLine = ({ runway }: { runway: Runway }) => {
  const t = useTranslations('balance')
  if (runway.dues.length === 0) return <p className="small t2 py-3">{t('nothingDue')}</p>
  return (
    <ol className="steps due">
      {runway.dues.flatMap((due) => [
        ...(due === runway.short ? [<ShortMark key="short" />] : []),
        <DueRow key={due.id} due={due} />,
      ])}
    </ol>
  )
}

/** The charges of the next 30 days in order, and the point where the balance runs out. */
export const DuePanel = (tools: PanelTools) => {
  const t = useTranslations('balance')
  const tc = useTranslations('common')
  const locale = useLocale()
  const runway = useRunway()
  return (
    <Panel
      {...tools}
      title={t('nextDays')}
      {...(runway ? { end: <span className="small t2">{formatMoney(runway.totalFt, locale)}</span> } : {})}
    >
      {runway ? <DueLine runway={runway} /> : null}
      {runway === null ? <p className="small t2 py-3">{t('dueFailed')}</p> : null}
      {runway === undefined ? <SkeletonRows label={tc('loading')} /> : null}
    </Panel>
  )
}
