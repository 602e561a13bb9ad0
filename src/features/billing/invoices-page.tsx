'use client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { invoicesQuery } from '@/lib/queries/queries.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { PagedList } from '@/ui/surfaces/paged-list.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { Drawing } from '@/lib/pictures/picture.tsx'
import { EmptyState, SkeletonRows } from '@/ui/surfaces/states.tsx'
import { InvoicesTable } from './invoices-table.tsx'
import { useDownload } from './use-download.ts'

const CSV = 'csv'

/** Invoices and receipts: their purchase, their state, and their file. */
export const InvoicesPage = () => {
  const t = useTranslations('invoices')
  const tc = useTranslations('common')
  const query = useInfiniteQuery(invoicesQuery())
  const { busyId, hasFailed, take } = useDownload()
  const isEmpty = query.data?.pages[0]?.items.length === 0
  return (
    <div className="page">
      <header className="page-h">
        <h1>{t('title')}</h1>
        <p className="t2">
          {t('text')}{' '}
          <PageLink className="link" href="/dashboard/settings">
            {t('settings')}
          </PageLink>
        </p>
      </header>
      <Panel title={t('list')}>
        {hasFailed ? (
          <Notice tone="stop" role="alert">
            {t('downloadFailed')}
          </Notice>
        ) : null}
        <Region query={query} skeleton={<SkeletonRows rows={6} label={tc('loading')} />} failed={t('failed')}>
          {(data) =>
            isEmpty ? (
              <EmptyState picture={<Drawing group="empty" name="invoices" width={320} />} title={t('emptyTitle')}>
                {t('empty')}
              </EmptyState>
            ) : (
              <>
                <PagedList
                  query={query}
                  rows={data.pages.flatMap((page) => page.items)}
                  empty={t('empty')}
                  older={t('older')}
                >
                  {(rows) => (
                    <InvoicesTable
                      rows={rows}
                      busyId={busyId}
                      onDownload={(row) => void take(row.id, { path: row.downloadUrl, name: `${row.number}.pdf` })}
                    />
                  )}
                </PagedList>
                <p className="py-3">
                  <Button
                    size="s"
                    busy={busyId === CSV}
                    onClick={() => void take(CSV, { path: '/api/balance/invoices/csv', name: `${t('csvName')}.csv` })}
                  >
                    {t('csv')}
                  </Button>
                </p>
              </>
            )
          }
        </Region>
      </Panel>
    </div>
  )
}
