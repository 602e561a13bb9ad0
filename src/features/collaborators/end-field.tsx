'use client'
import { useLocale, useTranslations } from 'next-intl'
import { formatDate } from '@/lib/format/date.ts'
import { Chip } from '@/ui/controls/chip.tsx'
import { Field } from '@/ui/controls/field.tsx'
import { dayAfter, dayIn } from './end-of-day.ts'

const SPANS_DAYS = [1, 7, 30] as const

type EndFieldProps = {
  /** As a date field writes it; empty for no end. */
  readonly day: string
  readonly timeZone: string
  /** The end of the reader's own share, beyond which they give nothing. */
  readonly ownEnd: string | null
  readonly error?: string | undefined
  readonly onDay: (day: string) => void
}

/** The last day of a share, or none. */
export const EndField = ({ day, timeZone, ownEnd, error, onDay }: EndFieldProps) => {
  const t = useTranslations('collaborators.dialog')
  const locale = useLocale()
  const nowMs = Date.now()
  const lastDay = ownEnd === null ? undefined : dayIn(Date.parse(ownEnd), timeZone)
  return (
    <div className="share-end">
      <Field
        label={t('end')}
        type="date"
        value={day}
        min={dayIn(nowMs, timeZone)}
        max={lastDay}
        className="field__in--date"
        error={error}
        help={
          ownEnd === null
            ? t('endHelp')
            : t('endOwn', { date: formatDate(ownEnd, locale, { style: 'date', timeZone }) })
        }
        onChange={(event) => onDay(event.target.value)}
      />
      <div className="row wrap" role="group" aria-label={t('end')}>
        {ownEnd === null ? (
          <Chip small pressed={day === ''} onClick={() => onDay('')}>
            {t('noEnd')}
          </Chip>
        ) : null}
        {SPANS_DAYS.map((days) => {
          const at = dayAfter(nowMs, days, timeZone)
          return lastDay !== undefined && at > lastDay ? null : (
            <Chip key={days} small pressed={day === at} onClick={() => onDay(at)}>
              {t('days', { count: days })}
            </Chip>
          )
        })}
      </div>
    </div>
  )
}
