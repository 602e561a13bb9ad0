'use client'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import type { ServerSize } from '#contracts/http/modification.ts'
import type { Server } from '#contracts/http/server.ts'
import { readOnlyReason } from '#domain/servers/read-only.ts'
import { servicesQuery, withdrawalsQuery } from '@/lib/queries/queries.ts'
import { useReader } from '@/lib/servers/use-reader.ts'
import { formatDate } from '@/lib/format/date.ts'
import { ServerRegion } from '@/lib/servers/server-region.tsx'
import { useServer } from '@/lib/servers/use-server.ts'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { EmptyState, SkeletonRows } from '@/ui/surfaces/states.tsx'
import { Together, useTogether } from '@/ui/surfaces/together.tsx'
import { ArchivePanel } from './archive-panel.tsx'
import { ConversionPanel } from './conversion-panel.tsx'
import { DetailsPanel } from './details-panel.tsx'
import { IdentityPanel } from './identity-panel.tsx'
import { ModificationPanel } from './modification-panel.tsx'
import { OperationPanel } from './operation-panel.tsx'
import { ReinstallPanel } from './reinstall-panel.tsx'
import { RenewalPanel } from './renewal-panel.tsx'
import { sizeQuery } from './use-modification.ts'
import { packagesQuery } from './use-package.ts'
import { useRenewalQuote } from './use-renewal.ts'
import { settingsQuery } from './use-settings.ts'

type PartsProps = { server: Server; withdrawal: ReactNode }

/** Why the reader cannot change a part of the settings now; null if they can. */
const useClosed = (server: Server) => {
  const t = useTranslations('serverSettings')
  const readOnly = readOnlyReason({ suspended: server.suspended, expiresAtMs: Date.parse(server.expiry) }, Date.now())
  return (permission: 'settings.rename' | 'startup.update'): string | null => {
    if (readOnly !== null) return t(`closed.${readOnly}`)
    if (server.permissions.includes(permission)) return null
    return t(permission === 'settings.rename' ? 'closed.rename' : 'closed.operate')
  }
}

/**
 * The settings that collaborators change too, as far as they may. The parts below them appear once their height is
 * known, and are never pushed away.
 */
const SharedParts = ({ server, sftp, children }: { server: Server; sftp: ReactNode; children: ReactNode }) => {
  const t = useTranslations('serverSettings')
  const tc = useTranslations('common')
  const query = useQuery(settingsQuery(server.id))
  const closed = useClosed(server)
  return (
    <Together phase={useTogether(query)} reading={t('readingAll')}>
      <Region query={query} skeleton={<SkeletonRows rows={16} label={tc('loading')} />} failed={t('failed')}>
        {(settings) => (
          <div className="server-settings">
            <IdentityPanel serverId={server.id} settings={settings} closed={closed('settings.rename')} />
            <OperationPanel server={server} settings={settings} closed={closed('startup.update')} />
            <DetailsPanel server={server} sftp={sftp} />
          </div>
        )}
      </Region>
      {children}
    </Together>
  )
}

/**
 * The confirmation of a conversion: shown by the page, because the converting panel is gone then, and the focus with
 * it.
 */
const useBought = (isTest: boolean | undefined) => {
  const [bought, setBought] = useState<Server | null>(null)
  const ref = useRef<HTMLDivElement>(null)
  const isGone = bought !== null && isTest === false
  useEffect(() => {
    if (isGone) ref.current?.focus()
  }, [isGone])
  return { bought, setBought, ref }
}

const Bought = ({ server }: { server: Server }) => {
  const t = useTranslations('serverSettings.conversion')
  const locale = useLocale()
  const timeZone = useTimeZone()
  return (
    <Notice tone="go" className="mb-6">
      {t('done', { date: formatDate(server.expiry, locale, { style: 'dateTime', timeZone }) })}
    </Notice>
  )
}

/** The number of months that the renewal opens with. */
const FIRST_MONTHS = 1

const PaidParts = ({ server, size, withdrawal }: PartsProps & { size: ServerSize }) => {
  const t = useTranslations('serverSettings')
  const renewal = useRenewalQuote(server.id, FIRST_MONTHS).query
  const isInPackage = size.packageId !== null
  const services = useQuery({ ...servicesQuery(), enabled: !isInPackage })
  const packages = useQuery({ ...packagesQuery(server.id), enabled: isInPackage })
  const phase = useTogether(renewal, isInPackage ? packages : services, useQuery(withdrawalsQuery()))
  return (
    <Together phase={phase} reading={t('readingAll')}>
      <div className="server-settings">
        <RenewalPanel serverId={server.id} />
        <ArchivePanel server={server} />
        <ModificationPanel server={server} size={size} />
        {withdrawal}
      </div>
    </Together>
  )
}

const OwnParts = ({ server, withdrawal }: PartsProps) => {
  const t = useTranslations('serverSettings')
  const tc = useTranslations('common')
  const size = useQuery(sizeQuery(server.id))
  const { bought, setBought, ref } = useBought(size.data?.isTest)
  return (
    <div className="min-w-0">
      <div role="status" ref={ref} tabIndex={-1}>
        {bought ? <Bought server={bought} /> : null}
      </div>
      <Region query={size} skeleton={<SkeletonRows rows={12} label={tc('loading')} />} failed={t('failed')}>
        {(found) =>
          found.isTest ? (
            <div className="server-settings">
              <ConversionPanel server={server} size={found} onBought={setBought} />
              <ArchivePanel server={server} />
            </div>
          ) : (
            <PaidParts server={server} size={found} withdrawal={withdrawal} />
          )
        }
      </Region>
    </div>
  )
}

/** Another person's server: an administrator can download the archive of an expired one, even if suspended. */
const OthersParts = ({ server, isAdmin }: { server: Server; isAdmin: boolean }) => {
  const t = useTranslations('serverSettings')
  return (
    <>
      <EmptyState>{t('ownerOnly')}</EmptyState>
      {isAdmin ? <ArchivePanel server={server} /> : null}
    </>
  )
}

const Parts = ({ server, withdrawal }: PartsProps) => {
  const t = useTranslations('serverSettings')
  const me = useReader()
  if (me === undefined) return <SkeletonRows rows={8} label={t('title')} />
  if (me.id === server.owner.id) return <OwnParts server={server} withdrawal={withdrawal} />
  return <OthersParts server={server} isAdmin={me.role.some(({ isAdmin }) => isAdmin === 1)} />
}

/** The settings of one server. `withdrawal`, `sftp` and `filesSize` are parts of other features, combined here. */
export const ServerSettingsPage = ({
  id,
  withdrawal,
  sftp,
  filesSize,
}: {
  id: string
  withdrawal: ReactNode
  sftp: (server: Server) => ReactNode
  filesSize: (server: Server) => ReactNode
}) => {
  const t = useTranslations('serverSettings')
  const tc = useTranslations('common')
  const query = useServer(id)
  return (
    <div className="page">
      <header className="page-h">
        <h1>{t('title')}</h1>
      </header>
      <div className="server-settings">
        <ServerRegion
          query={query}
          gone={t('gone')}
          skeleton={<SkeletonRows rows={8} label={tc('loading')} />}
          failed={t('failed')}
        >
          {(server) => (
            <div className="server-settings" key={server.id}>
              <SharedParts server={server} sftp={sftp(server)}>
                <Parts server={server} withdrawal={withdrawal} />
                <ReinstallPanel server={server} size={filesSize(server)} />
              </SharedParts>
            </div>
          )}
        </ServerRegion>
      </div>
    </div>
  )
}
