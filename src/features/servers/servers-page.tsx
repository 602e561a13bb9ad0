'use client'
import { useQuery } from '@tanstack/react-query'
import { Plus, Search } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { Server } from '#contracts/http/server.ts'
import { shownWordOf } from '#domain/servers/status.ts'
import { invitationsQuery } from '@/lib/queries/invitations-query.ts'
import { serversQuery } from '@/lib/queries/queries.ts'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { Drawing } from '@/lib/pictures/picture.tsx'
import { useAddressChoice, useAddressText } from '@/ui/screen/address-state.ts'
import { buttonClass } from '@/ui/controls/button.tsx'
import { Chip } from '@/ui/controls/chip.tsx'
import { Input } from '@/ui/controls/input.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { EmptyState, Skeleton } from '@/ui/surfaces/states.tsx'
import { listFilters, listSorts, matchesFilter, viewOf } from './list-view.ts'
import { ServersTable } from './servers-table.tsx'

export const RowsSkeleton = ({ rows = 4 }: { rows?: number }) => {
  const t = useTranslations('common')
  return (
    <div role="status">
      <span className="vh">{t('loading')}</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="row-skel">
          <Skeleton width="44px" height={32} />
          <span className="grow">
            <Skeleton width={row % 2 === 0 ? '34%' : '24%'} />
            <Skeleton width={row % 2 === 0 ? '46%' : '38%'} className="mt-2" />
          </span>
          <Skeleton width="88px" />
        </div>
      ))}
    </div>
  )
}

const Listing = ({ servers }: { servers: readonly Server[] }) => {
  const t = useTranslations('servers')
  const locale = useLocale()
  const [filter, setFilter] = useAddressChoice('show', listFilters)
  const [sort, setSort] = useAddressChoice('sort', listSorts)
  const [search, setSearch] = useAddressText('q')
  if (servers.length === 0) {
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
  const nowMs = Date.now()
  const shown = viewOf(servers, { filter, sort, search, locale, nowMs })
  return (
    <>
      <div className="sv-tools">
        <Input
          label={t('filterLabel')}
          placeholder={t('filter')}
          type="search"
          icon={<Search className="i" aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <div className="row wrap" role="group" aria-label={t('columns.status')}>
          {listFilters.map((id) => (
            <Chip
              key={id}
              pressed={filter === id}
              count={servers.filter((server) => matchesFilter(shownWordOf(server, nowMs), id)).length}
              onClick={() => setFilter(id)}
            >
              {t(`filters.${id}`)}
            </Chip>
          ))}
        </div>
      </div>
      {shown.length === 0 ? (
        <EmptyState picture={<Drawing group="empty" name="nothing-found" width={320} />}>{t('noMatch')}</EmptyState>
      ) : null}
      {shown.length > 0 ? <ServersTable servers={shown} sort={sort} onSort={setSort} /> : null}
    </>
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
  const listed = { ...query, data: isInvited.isPending ? undefined : query.data }
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
      <Region query={listed} skeleton={<RowsSkeleton rows={5} />} failed={t('failed')}>
        {(servers) => (
          <>
            {invitations}
            <Listing servers={servers} />
          </>
        )}
      </Region>
    </>
  )
}
