'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import type { Server } from '#contracts/http/server.ts'
import { meQuery, serverQuery, serversQuery } from '@/lib/api-client/queries.ts'
import { buttonClass } from '@/ui/button.tsx'
import { PageLink } from '@/ui/page-link.tsx'
import { Region } from '@/ui/region.tsx'
import { EmptyState, SkeletonRows } from '@/ui/states.tsx'
import { RenewalPanel } from './renewal-panel.tsx'
import './server-settings.css'

/** The list knows a server before its own answer comes. */
const useServer = (id: string) => {
  const listed = useQuery(serversQuery()).data?.find((server) => server.id === id)
  const own = useQuery(serverQuery(id))
  return { ...own, data: own.data ?? listed }
}

const isUnknown = (failure: unknown): boolean =>
  failure instanceof Error && 'status' in failure && (failure.status === 404 || failure.status === 400)

const Parts = ({ server }: { server: Server }) => {
  const t = useTranslations('serverSettings')
  const me = useQuery(meQuery()).data
  if (me === undefined) return <SkeletonRows rows={8} label={t('title')} />
  if (me.id !== server.owner.id) return <EmptyState>{t('ownerOnly')}</EmptyState>
  return <RenewalPanel serverId={server.id} />
}

/** What the owner sets about one server. */
export const ServerSettingsPage = ({ id }: { id: string }) => {
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
            {(server) => <Parts key={server.id} server={server} />}
          </Region>
        </div>
      )}
    </div>
  )
}
