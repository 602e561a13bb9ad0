'use client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import type { Transaction } from '#contracts/http/balance.ts'
import { transactionsQuery } from '@/lib/api-client/queries.ts'
import { PagedList } from '@/ui/paged-list.tsx'
import { Panel } from '@/ui/panel.tsx'
import { Region } from '@/ui/region.tsx'
import { SkeletonRows } from '@/ui/states.tsx'
import { LedgerTable } from './ledger-table.tsx'

// While a payment is on its way its line asks by itself, because the provider's answer may come without the link.
const pendingEveryMs = 4_000

/** Pending first, then the newest first. */
const pendingFirst = (rows: readonly Transaction[]) =>
  rows.toSorted((a, b) => Number(b.status === 'processing') - Number(a.status === 'processing'))

export const LedgerPanel = () => {
  const t = useTranslations('balance')
  const tc = useTranslations('common')
  const query = useInfiniteQuery({
    ...transactionsQuery(),
    refetchInterval: ({ state }) => {
      const isPending = state.data?.pages.some((page) => page.items.some((row) => row.status === 'processing'))
      return isPending || state.status === 'error' ? pendingEveryMs : false
    },
  })
  return (
    <Panel title={t('ledger')}>
      <Region query={query} skeleton={<SkeletonRows rows={5} label={tc('loading')} />} failed={t('ledgerFailed')}>
        {(data) => (
          <PagedList
            query={query}
            rows={data.pages.flatMap((page) => page.items)}
            empty={t('ledgerEmpty')}
            older={t('older')}
          >
            {(rows) => <LedgerTable rows={pendingFirst(rows)} />}
          </PagedList>
        )}
      </Region>
    </Panel>
  )
}
