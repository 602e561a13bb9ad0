import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { formatDate } from '@/lib/format/date.ts'
import { CopyText } from '@/ui/surfaces/copy-text.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'

const addressOf = ({ ip, port }: Server): string => {
  const host = ip.includes(':') ? `[${ip}]` : ip
  return port === null ? host : `${host}:${port}`
}

/**
 * The facts that support and programs ask for: address, identifier, machine. `sftp` is part of another feature,
 * combined here.
 */
export const DetailsPanel = ({ server, sftp }: { server: Server; sftp: ReactNode }) => {
  const t = useTranslations('serverSettings.details')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const rows = [
    ...(server.ip === ''
      ? []
      : [{ label: t('address'), value: <CopyText text={addressOf(server)} label={t('address')} /> }]),
    { label: t('identifier'), value: <CopyText text={server.identifier} label={t('identifier')} /> },
    { label: t('machine'), value: server.computer.name },
    { label: t('service'), value: server.serviceName },
    { label: t('created'), value: formatDate(server.createdAt, locale, { style: 'date', timeZone }) },
  ]
  return (
    <Panel title={t('title')}>
      <dl className="settings-details">
        {rows.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <h3 className="settings-sub">{t('sftp')}</h3>
      {sftp}
    </Panel>
  )
}
