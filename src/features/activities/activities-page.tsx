'use client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import type { Activity } from '#contracts/http/notification.ts'
import { activitiesQuery } from '@/lib/queries/people-queries.ts'
import { formatDate } from '@/lib/format/date.ts'
import { DataTable } from '@/ui/surfaces/data-table.tsx'
import type { Column } from '@/ui/surfaces/data-table.tsx'
import { Lamp } from '@/ui/signs/lamp.tsx'
import { PagedList } from '@/ui/surfaces/paged-list.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { SkeletonRows } from '@/ui/surfaces/states.tsx'
import { activityWord } from './activity-words.ts'

const useColumns = (): readonly Column<Activity>[] => {
  const t = useTranslations('activities')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const words = (type: string) => {
    const word = activityWord(type)
    return word === undefined ? type : t(`types.${word}`)
  }
  return [
    { id: 'when', head: t('when'), cell: (row) => formatDate(row.date, locale, { style: 'stamp', timeZone }) },
    {
      id: 'what',
      head: t('what'),
      cell: (row) => (
        <>
          {[words(row.type), row.server?.name].filter(Boolean).join(' · ')}
          {row.detail === '' ? null : <span className="mono t2 block max-w-[60ch] break-words">{row.detail}</span>}
        </>
      ),
    },
    {
      id: 'status',
      head: t('status'),
      cell: (row) => <Lamp kind={row.status === 'success' ? 'done' : 'crash'}>{t(`statuses.${row.status}`)}</Lamp>,
    },
    {
      id: 'from',
      head: t('from'),
      cell: (row) => (
        <span className="t2">
          {[row.ipAddress, row.place, row.way === null ? '' : t(`ways.${row.way}`)].filter(Boolean).join(' · ') ||
            t('noAddress')}
        </span>
      ),
    },
  ]
}

/** The security log: actions on the account, newest first. */
export const ActivitiesPage = () => {
  const t = useTranslations('activities')
  const tc = useTranslations('common')
  const columns = useColumns()
  const query = useInfiniteQuery(activitiesQuery())
  return (
    <div className="page">
      <header className="page-h">
        <h1>{t('title')}</h1>
        <p className="t2">{t('text')}</p>
      </header>
      <Panel title={t('log')}>
        <Region query={query} skeleton={<SkeletonRows rows={8} label={tc('loading')} />} failed={t('failed')}>
          {(data) => (
            <PagedList query={query} rows={data.pages.flat()} empty={t('empty')} older={t('older')}>
              {(rows) => <DataTable caption={t('log')} columns={columns} rows={rows} rowKey={(row) => row.id} />}
            </PagedList>
          )}
        </Region>
      </Panel>
    </div>
  )
}
