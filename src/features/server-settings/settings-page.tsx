'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { meQuery, serverQuery, serversQuery } from '@/lib/api-client/queries.ts'
import { buttonClass } from '@/ui/button.tsx'
import { PageLink } from '@/ui/page-link.tsx'
import { Region } from '@/ui/region.tsx'
import { EmptyState, SkeletonRows } from '@/ui/states.tsx'
import { ArchivePanel } from './archive-panel.tsx'
import { ConversionPanel } from './conversion-panel.tsx'
import { ModificationPanel } from './modification-panel.tsx'
import { RenewalPanel } from './renewal-panel.tsx'
import { sizeQuery } from './use-modification.ts'
import './server-settings.css'

/** The list knows a server before its own answer comes. */
const useServer = (id: string) => {
  const listed = useQuery(serversQuery()).data?.find((server) => server.id === id)
  const own = useQuery(serverQuery(id))
  return { ...own, data: own.data ?? listed }
}

const isUnknown = (failure: unknown): boolean =>
  failure instanceof Error && 'status' in failure && (failure.status === 404 || failure.status === 400)

type PartsProps = { server: Server; withdrawal: ReactNode }

const OwnParts = ({ server, withdrawal }: PartsProps) => {
  const t = useTranslations('serverSettings')
  const tc = useTranslations('common')
  const size = useQuery(sizeQuery(server.id))
  return (
    <Region query={size} skeleton={<SkeletonRows rows={8} label={tc('loading')} />} failed={t('failed')}>
      {(found) =>
        found.isTest ? (
          <div className="server-settings">
            <ConversionPanel server={server} size={found} />
            <ArchivePanel server={server} />
          </div>
        ) : (
          <div className="server-settings">
            <RenewalPanel serverId={server.id} />
            <ArchivePanel server={server} />
            <ModificationPanel server={server} size={found} />
            {withdrawal}
          </div>
        )
      }
    </Region>
  )
}

const Parts = ({ server, withdrawal }: PartsProps) => {
  const t = useTranslations('serverSettings')
  const me = useQuery(meQuery()).data
  if (me === undefined) return <SkeletonRows rows={8} label={t('title')} />
  if (me.id !== server.owner.id) return <EmptyState>{t('ownerOnly')}</EmptyState>
  return <OwnParts server={server} withdrawal={withdrawal} />
}

/** What the owner sets about one server. `withdrawal` is another feature's part, which meets this one here. */
export const ServerSettingsPage = ({ id, withdrawal }: { id: string; withdrawal: ReactNode }) => {
  const t = useTranslations('serverSettings')
  const tc = useTranslations('common')
  const tp = useTranslations('panel')
  const query = useServer(id)
  const isGone = query.data === undefined && isUnknown(query.error)
  return (
    <div className="page">
      <header className="page-h">
        <h1>{t('title')}</h1>
      </header>
      {isGone ? (
        <EmptyState
          action={
            <PageLink className={buttonClass({ look: 'primary' })} href="/dashboard/servers">
              {tp('back')}
            </PageLink>
          }
        >
          {t('gone')}
        </EmptyState>
      ) : (
        <div className="server-settings">
          <Region query={query} skeleton={<SkeletonRows rows={8} label={tc('loading')} />} failed={t('failed')}>
            {(server) => <Parts key={server.id} server={server} withdrawal={withdrawal} />}
          </Region>
        </div>
      )}
    </div>
  )
}
