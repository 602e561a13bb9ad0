'use client'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { EMPTY_LAYOUT } from '#domain/servers/list-layout.ts'
import { ServerLayout } from '#contracts/http/server-layout.ts'
import { invitationsQuery } from '@/lib/queries/invitations-query.ts'
import { serversQuery } from '@/lib/queries/queries.ts'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { Drawing } from '@/lib/pictures/picture.tsx'
import { buttonClass } from '@/ui/controls/button.tsx'
import { Lamp } from '@/ui/signs/lamp.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { EmptyState, Skeleton } from '@/ui/surfaces/states.tsx'
import { ServerList } from './list/server-list.tsx'
import { useLayout } from './list/use-layout.ts'

const ROWS_AT_FIRST = 5

/** The parts of the list in their final heights. */
const ListSkeleton = () => {
  const t = useTranslations('common')
  return (
    <div role="status">
      <span className="vh">{t('loading')}</span>
      <div className="sv-watch sv-skel" />
      <div className="sv-tools sv-skel" />
      <div className="sv-head sv-skel" />
      {Array.from({ length: ROWS_AT_FIRST }, (_, row) => (
        <div key={row} className="sv-row sv-row-skel">
          <Skeleton className="pc" height={45} />
          <span className="nc">
            <Skeleton width={row % 2 === 0 ? '60%' : '44%'} />
            <Skeleton width={row % 2 === 0 ? '80%' : '70%'} className="mt-2" />
          </span>
          <Skeleton className="stc" width="88px" />
        </div>
      ))}
    </div>
  )
}

const NoServers = () => {
  const t = useTranslations('servers')
  return (
    <EmptyState
      picture={<Drawing group="empty" name="servers" width={320} />}
      action={
        <PageLink className={buttonClass({ look: 'primary' })} href="/dashboard/services/game">
          {t('rentFirst')}
        </PageLink>
      }
    >
      {t('none')}
    </EmptyState>
  )
}

/**
 * All servers of the reader, including shared ones. `invitations` is part of another feature, combined here: it appears
 * together with the list, so that it pushes nothing down.
 */
export const ServersPage = ({ invitations }: { invitations?: ReactNode }) => {
  const t = useTranslations('servers')
  const query = useQuery(serversQuery())
  const isInvited = useQuery(invitationsQuery())
  const { query: layout, change } = useLayout()
  const isWhole = !isInvited.isPending && !layout.isPending
  const listed = { ...query, data: isWhole ? query.data : undefined }
  return (
    <>
      <header className="page-h">
        <h1 className="grow">{t('title')}</h1>
        {query.data && query.data.length > 0 ? (
          <PageLink className={buttonClass({ look: 'primary' })} href="/dashboard/services/game">
            <Plus className="i" aria-hidden />
            {t('new')}
          </PageLink>
        ) : null}
      </header>
      <Region query={listed} skeleton={<ListSkeleton />} failed={t('failed')}>
        {(servers) => (
          <>
            {invitations}
            {servers.length === 0 ? (
              <NoServers />
            ) : (
              <>
                {layout.data === undefined ? (
                  <p className="stale-note" role="status">
                    <Lamp kind="due">{t('list.layoutFailed')}</Lamp>
                  </p>
                ) : null}
                <ServerList
                  servers={servers}
                  layout={layout.data ?? ServerLayout.parse(EMPTY_LAYOUT)}
                  hasLayout={layout.data !== undefined}
                  change={change}
                />
              </>
            )}
          </>
        )}
      </Region>
    </>
  )
}
