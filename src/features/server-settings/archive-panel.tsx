'use client'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import type { Server } from '#contracts/http/server.ts'
import { deletionAtMs } from '#domain/billing/lifetime.ts'
import { ApiFailure } from '@/lib/browser-client/failure.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { formatDate } from '@/lib/format/date.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { ArchiveFailure, useArchive } from './use-archive.ts'

const Failure = ({ failure, deletion }: { failure: unknown; deletion: string }) => {
  const t = useTranslations('serverSettings.archive')
  const failureText = useFailureText()
  const isAway = failure instanceof ApiFailure && failure.code === 'NODE_UNREACHABLE'
  const trouble = failure instanceof ArchiveFailure ? failure.trouble : isAway ? 'away' : undefined
  return (
    <Notice tone="stop" role="alert">
      {trouble === undefined ? failureText(failure) : t(trouble, { deletion })}
    </Notice>
  )
}

/** The archive of an expired server, before its deletion. Hidden for any other server. */
export const ArchivePanel = ({ server }: { server: Pick<Server, 'id' | 'expiry'> }) => {
  const t = useTranslations('serverSettings.archive')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const archive = useArchive(server.id)
  const expiryMs = Date.parse(server.expiry)
  if (expiryMs > Date.now()) return null
  const deletionAt = new Date(deletionAtMs(expiryMs)).toISOString()
  const deletion = formatDate(deletionAt, locale, { style: 'dateTime', timeZone })
  const take = () => {
    if (!archive.isPending) archive.mutate()
  }
  return (
    <Panel title={t('title')}>
      <div className="renewal">
        <p>{t('text', { deletion })}</p>
        {archive.error === null ? null : <Failure failure={archive.error} deletion={deletion} />}
        <Button busy={archive.isPending} onClick={take}>
          {t('download')}
        </Button>
        <div role="status">
          {archive.isSuccess ? <Notice tone="go">{t('begun', { file: archive.data })}</Notice> : null}
        </div>
      </div>
    </Panel>
  )
}
