'use client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { useState } from 'react'
import { formatDate } from '@/lib/format/date.ts'
import { Button } from '@/ui/controls/button.tsx'
import { DataTable } from '@/ui/surfaces/data-table.tsx'
import { PagedList } from '@/ui/surfaces/paged-list.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { SkeletonRows } from '@/ui/surfaces/states.tsx'
import { PrizePicture } from './prize-picture.tsx'
import { usePrizeWords } from './prize-words.ts'
import { spinsQuery } from './prize-queries.ts'
import { VerifyDialog } from './verify-dialog.tsx'

/** All draws, each with a link to its verification. */
export const SpinHistory = () => {
  const t = useTranslations('spin')
  const tc = useTranslations('common')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const words = usePrizeWords()
  const query = useInfiniteQuery(spinsQuery())
  const [asked, setAsked] = useState<string | null>(null)
  return (
    <Panel title={t('history')}>
      <Region query={query} skeleton={<SkeletonRows rows={3} label={tc('loading')} />} failed={t('historyFailed')}>
        {(data) => (
          <PagedList
            query={query}
            rows={data.pages.flatMap((page) => page.items)}
            empty={t('historyEmpty')}
            older={t('older')}
          >
            {(rows) => (
              <DataTable
                caption={t('history')}
                dense
                rows={rows}
                rowKey={({ id }) => id}
                columns={[
                  {
                    id: 'date',
                    head: t('columns.date'),
                    cell: ({ date }) => formatDate(date, locale, { style: 'stamp', timeZone }),
                  },
                  {
                    id: 'prize',
                    head: t('columns.prize'),
                    cell: (row) => (
                      <span className="prize">
                        <PrizePicture prize={row} width={28} />
                        {words(row)}
                      </span>
                    ),
                  },
                  { id: 'source', head: t('columns.source'), cell: ({ source }) => t(`sources.${source}`) },
                  {
                    id: 'verify',
                    head: t('columns.proof'),
                    cell: ({ id }) => (
                      <Button size="s" onClick={() => setAsked(id)}>
                        {t('verify.action')}
                      </Button>
                    ),
                  },
                ]}
              />
            )}
          </PagedList>
        )}
      </Region>
      <VerifyDialog spinId={asked} onClose={() => setAsked(null)} />
    </Panel>
  )
}
