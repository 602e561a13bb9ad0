'use client'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { buttonClass } from '@/ui/controls/button.tsx'
import { balanceQuery, meQuery, serversQuery, transactionsQuery } from '@/lib/queries/queries.ts'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { Together, useTogether } from '@/ui/surfaces/together.tsx'
import { BalanceBoard } from './balance-board.tsx'
import { DuePanel } from './due-panel.tsx'
import { LedgerPanel } from './ledger-panel.tsx'
import { RunwayPanel } from './runway-panel.tsx'
import { TopupPanel } from './topup-panel.tsx'

const usePhase = () =>
  useTogether(
    useQuery(balanceQuery()),
    useQuery(serversQuery()),
    useQuery(meQuery()),
    useInfiniteQuery(transactionsQuery()),
  )

export const BalancePage = () => {
  const t = useTranslations('balance')
  const ts = useTranslations('spin')
  // The typed amount: the drawing shows how long the balance would last with it.
  const [typedFt, setTypedFt] = useState(0)
  return (
    <div className="page">
      <header className="page-h items-center">
        <h1>{t('title')}</h1>
        <PageLink className={buttonClass({ size: 's' }, 'ml-auto')} href="/dashboard/spin">
          {ts('title')}
        </PageLink>
      </header>
      <Together phase={usePhase()} reading={t('readingAll')}>
        <div className="mb-6">
          <BalanceBoard />
        </div>
        <div className="cols balance-cols">
          <div className="col col-main">
            <RunwayPanel extraFt={typedFt} />
            <LedgerPanel />
          </div>
          <div className="col col-side">
            <TopupPanel onAmount={setTypedFt} />
            <DuePanel />
          </div>
        </div>
      </Together>
    </div>
  )
}
