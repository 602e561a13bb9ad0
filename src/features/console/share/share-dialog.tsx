'use client'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { FormEvent } from 'react'
import type { LogShareCreated } from '#contracts/http/panel/log-share.ts'
import { LOG_SHARE_HOURS, logShareFault, sharedText, type LogShareHours } from '#domain/servers/log-share.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { formatDate } from '@/lib/format/date.ts'
import { formatCount } from '@/lib/format/money.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Field } from '@/ui/controls/field.tsx'
import { Stops } from '@/ui/controls/stops.tsx'
import { CopyText } from '@/ui/surfaces/copy-text.tsx'
import { Dialog } from '@/ui/surfaces/dialog.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import type { LogEntry } from '../log/log-buffer.ts'
import type { LogClock } from '../log/log-clock.ts'
import { useCreateLogShare } from './log-share-queries.ts'
import { rangeText, rangeWithin, type LineRange } from './log-range.ts'
import { OpenLinks } from './open-links.tsx'
import { countMarks, SharedLines } from './shared-lines.tsx'

/** The new link, which takes the focus: it is shown only this once. */
const Created = ({ created }: { created: LogShareCreated }) => {
  const t = useTranslations('console.share')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    place.current?.querySelector('button')?.focus()
  }, [])
  const ends = formatDate(created.share.endsAt, locale, { style: 'stamp', timeZone })
  return (
    <div ref={place} className="share-created" role="status">
      <p>{t('created', { ends })}</p>
      <CopyText text={`${window.location.origin}${created.path}`} label={t('copyLink')} />
      <p className="t2 small">{t('once')}</p>
    </div>
  )
}

/** The text that will be shared, byte for byte. */
const Preview = ({ text, from }: { text: string; from: number }) => {
  const t = useTranslations('console.share')
  const locale = useLocale()
  const hidden = countMarks(text)
  return (
    <>
      <div className="share-preview" role="region" aria-label={t('preview')} tabIndex={0}>
        <SharedLines text={text} from={from} />
      </div>
      <p className="t2 small">
        {hidden === 0 ? t('nothingHidden') : t('hidden', { count: hidden, shown: formatCount(hidden, locale) })}
      </p>
    </>
  )
}

type RangeFieldsProps = { range: LineRange; count: number; onRange: (range: LineRange) => void }

/** First and last line. A typed number counts once the field is left, so that it can be written digit by digit. */
const RangeFields = ({ range, count, onRange }: RangeFieldsProps) => {
  const t = useTranslations('console.share')
  const field = (end: keyof LineRange) => (
    <Field
      key={`${end} ${range[end]}`}
      label={t(end)}
      type="number"
      inputMode="numeric"
      min={1}
      max={count}
      defaultValue={range[end]}
      onBlur={(event) => onRange(rangeWithin({ ...range, [end]: event.currentTarget.valueAsNumber }, count))}
    />
  )
  return (
    <div className="share-range">
      {field('first')}
      {field('last')}
    </div>
  )
}

type ShareFormProps = {
  readonly serverId: string
  readonly entries: readonly LogEntry[]
  readonly first: LineRange
  readonly clock: LogClock
  readonly onCreated: (created: LogShareCreated) => void
}

const ShareForm = ({ serverId, entries, first, clock, onCreated }: ShareFormProps) => {
  const t = useTranslations('console.share')
  const tConsole = useTranslations('console')
  const locale = useLocale()
  const failureText = useFailureText()
  const create = useCreateLogShare(serverId)
  const [range, setRange] = useState(first)
  const [hours, setHours] = useState<LogShareHours>(24)
  const text = useMemo(() => {
    const gapText = (count: number) => tConsole('gap', { count, shown: formatCount(count, locale) })
    return sharedText(rangeText(entries, range, { clock, gapText }))
  }, [entries, range, clock, tConsole, locale])
  const fault = logShareFault(text)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (fault === null && !create.isPending) create.mutate({ text, hours }, { onSuccess: onCreated })
  }
  return (
    <form className="stack" noValidate onSubmit={submit}>
      <p>{t('how')}</p>
      <RangeFields range={range} count={entries.length} onRange={setRange} />
      <Preview text={text} from={range.first} />
      <Stops
        name="share-hours"
        legend={t('for')}
        value={String(hours)}
        choices={LOG_SHARE_HOURS.map((choice) => ({ value: String(choice), label: t(`hours.${choice}`) }))}
        onChange={(value) => setHours(LOG_SHARE_HOURS.find((choice) => String(choice) === value) ?? 24)}
      />
      {fault === null ? null : (
        <Notice tone="wait" role="alert">
          {t(fault)}
        </Notice>
      )}
      {create.error === null ? null : (
        <Notice tone="stop" role="alert">
          {failureText(create.error)}
        </Notice>
      )}
      <div className="dialog__end">
        <Button type="submit" look="primary" busy={create.isPending} aria-disabled={fault !== null}>
          {t('create')}
        </Button>
      </div>
    </form>
  )
}

type ShareDialogProps = Omit<ShareFormProps, 'onCreated'> & { readonly onClose: () => void }

/** Shares a range of the log as it was when the dialog opened. */
export const ShareDialog = ({ onClose, ...form }: ShareDialogProps) => {
  const t = useTranslations('console.share')
  const tc = useTranslations('common')
  const [created, setCreated] = useState<LogShareCreated | null>(null)
  return (
    <Dialog open onClose={onClose} title={t('title')} closeLabel={tc('close')} className="share-dialog">
      {created === null ? <ShareForm {...form} onCreated={setCreated} /> : <Created created={created} />}
      <OpenLinks serverId={form.serverId} />
    </Dialog>
  )
}
