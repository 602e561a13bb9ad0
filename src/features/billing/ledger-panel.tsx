'use client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { TRANSACTION_GROUPS } from '#contracts/http/balance.ts'
import type { StatementEntry, TransactionGroup } from '#contracts/http/balance.ts'
import { transactionsQuery } from '@/lib/queries/queries.ts'
import { PagedList } from '@/ui/surfaces/paged-list.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { SkeletonRows } from '@/ui/surfaces/states.tsx'
import { LedgerTable } from './ledger-table.tsx'

// While a payment is pending its line polls, because the provider's response may arrive without the realtime link.
const pendingEveryMs = 4_000

/** Pending first, then the newest first. */
const pendingFirst = (rows: readonly StatementEntry[]) =>
  rows.toSorted((a, b) => Number(b.status === 'processing') - Number(a.status === 'processing'))

type GroupsProps = { chosen: TransactionGroup | undefined; onChoose: (group: TransactionGroup | undefined) => void }

const Groups = ({ chosen, onChoose }: GroupsProps) => {
  const t = useTranslations('balance.groups')
  return (
    <span className="seg led-groups" role="group" aria-label={t('label')}>
      {([undefined, ...TRANSACTION_GROUPS] as const).map((group) => (
        <button key={group ?? 'all'} type="button" aria-pressed={group === chosen} onClick={() => onChoose(group)}>
          {t(group ?? 'all')}
        </button>
      ))}
    </span>
  )
}

/** The transactions: all of them, or one kind. */
export const LedgerPanel = () => {
  const t = useTranslations('balance')
  const tc = useTranslations('common')
  const [group, setGroup] = useState<TransactionGroup>()
  const query = useInfiniteQuery({
    ...transactionsQuery(group),
    refetchInterval: ({ state }) => {
      const isPending = state.data?.pages.some((page) => page.items.some((row) => row.status === 'processing'))
      return isPending || state.status === 'error' ? pendingEveryMs : false
    },
  })
  return (
    <Panel title={t('ledger')} end={<Groups chosen={group} onChoose={setGroup} />}>
      <Region query={query} skeleton={<SkeletonRows rows={5} label={tc('loading')} />} failed={t('ledgerFailed')}>
        {(data) => (
          <PagedList
            query={query}
            rows={data.pages.flatMap((page) => page.items)}
            empty={group === undefined ? t('ledgerEmpty') : t('groups.none')}
            older={t('older')}
          >
            {(rows) => <LedgerTable rows={pendingFirst(rows)} />}
          </PagedList>
        )}
      </Region>
    </Panel>
  )
}
