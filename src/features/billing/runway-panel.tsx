'use client'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { spendableFt } from '#domain/billing/runway.ts'
import { balanceQuery } from '@/lib/queries/queries.ts'
import { formatDate } from '@/lib/format/date.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { plateText } from '@/lib/format/plate-text.ts'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { Plate } from '@/ui/signs/plate.tsx'
import { lastsText } from './lasts-text.ts'
import { drawRunway, isWorthDrawing } from './runway-drawing.ts'
import type { RunwayDrawing } from './runway-drawing.ts'
import type { Runway } from './runway.ts'
import { runwayDays, useRunway } from './use-runway.ts'

// A recent order is due at the very end of the period: its plate needs space beyond it.
const roomDays = 2

const Lines = ({ drawing }: { drawing: RunwayDrawing }) => (
  <svg className="run-lines" viewBox="0 0 1000 100" preserveAspectRatio="none">
    {drawing.topped === null ? null : <path className="run-topped" d={drawing.topped} />}
    {drawing.missing === null ? null : <path className="run-missing" d={drawing.missing} />}
    <path className="run-covered" d={drawing.covered} />
  </svg>
)

type DrawnProps = { drawing: RunwayDrawing; runway: Runway; balanceFt: number; extraFt: number }

/** Hidden from assistive technology: the list of the next 30 days beside it has the same content. */
const Drawn = ({ drawing, runway, balanceFt, extraFt }: DrawnProps) => {
  const t = useTranslations('balance')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const money = (amountFt: number) => formatMoney(amountFt, locale)
  const leftFt = runway.dues.at(-1)?.leftFt ?? balanceFt
  return (
    <div aria-hidden="true">
      <div className="run">
        <span className="run-zero" style={{ top: `${drawing.zeroPercent}%` }} />
        <span className="run-label run-under" style={{ left: 0, top: `${drawing.zeroPercent}%` }}>
          {money(0)}
        </span>
        <Lines drawing={drawing} />
        {drawing.stops.map((stop) => {
          const due = runway.dues.find((candidate) => candidate.id === stop.id)
          return (
            <span key={stop.id} className="run-stop" style={{ left: `${stop.xPercent}%`, top: `${stop.yPercent}%` }}>
              {due ? <Plate size="xs">{plateText(due)}</Plate> : null}
            </span>
          )
        })}
        <b className="run-label run-over" style={{ left: 0, top: `${drawing.startPercent}%` }}>
          {money(balanceFt)}
        </b>
        {extraFt > 0 && drawing.startPercent - drawing.toppedStartPercent > 10 ? (
          <span className="run-label run-over" style={{ left: 0, top: `${drawing.toppedStartPercent}%` }}>
            {money(balanceFt + extraFt)}
          </span>
        ) : null}
        <span
          className={leftFt < 0 ? 'run-label run-end run-under run-short' : 'run-label run-end run-over'}
          style={{ right: 0, top: `${drawing.endPercent}%` }}
        >
          {t(leftFt < 0 ? 'missing' : 'stays', { amount: money(Math.abs(leftFt)) })}
        </span>
      </div>
      <div className="run-axis">
        <span style={{ left: 0 }}>{t('chart.today')}</span>
        {drawing.stops.map((stop) =>
          stop.hasDate ? (
            <span key={stop.id} style={{ left: `${stop.xPercent}%` }}>
              {formatDate(stop.at, locale, { style: 'day', timeZone })}
            </span>
          ) : null,
        )}
      </div>
    </div>
  )
}

const Key = ({ extraFt, topped }: { extraFt: number; topped: Runway | null | undefined }) => {
  const t = useTranslations('balance.chart')
  const tb = useTranslations('balance')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const amount = formatMoney(extraFt, locale)
  return (
    <figcaption className="run-key">
      <span>
        <i className="run-sign" />
        {t('now')}
      </span>
      {extraFt > 0 && topped ? (
        <span>
          <i className="run-sign run-sign-topped" />
          {topped.lasts.kind === 'until'
            ? t('withUntil', { amount, date: lastsText(tb, { locale, timeZone }, topped.lasts) })
            : t('withAll', { amount })}
        </span>
      ) : null}
    </figcaption>
  )
}

/**
 * How long the balance lasts, drawn as steps, and how long with the typed top-up. Hidden if
 * the list of dues shows as much.
 */
export const RunwayPanel = ({ extraFt }: { extraFt: number }) => {
  const t = useTranslations('balance')
  const balance = useQuery(balanceQuery()).data
  const runway = useRunway()
  const topped = useRunway(extraFt)
  if (!balance || !runway || !isWorthDrawing(runway)) return null
  // The part that pays a debt first is in neither line.
  const balanceFt = spendableFt(balance, 0)
  const raisedFt = spendableFt(balance, extraFt) - balanceFt
  const drawing = drawRunway(runway, { balanceFt, extraFt: raisedFt, nowMs: Date.now(), days: runwayDays + roomDays })
  return (
    <Panel title={t('chart.title')}>
      <figure>
        <Drawn drawing={drawing} runway={runway} balanceFt={balanceFt} extraFt={raisedFt} />
        <Key extraFt={extraFt} topped={topped} />
      </figure>
    </Panel>
  )
}
