'use client'
import { useTranslations } from 'next-intl'
import { BalanceBoard } from './balance-board.tsx'
import { DuePanel } from './due-panel.tsx'
import { LedgerPanel } from './ledger-panel.tsx'
import { TopupPanel } from './topup-panel.tsx'
import './balance.css'

export const BalancePage = () => {
  const t = useTranslations('balance')
  return (
    <div className="page">
      <header className="page-h">
        <h1>{t('title')}</h1>
      </header>
      <div className="mb-6">
        <BalanceBoard />
      </div>
      <div className="cols">
        <div className="col col-main">
          <LedgerPanel />
        </div>
        <div className="col col-side">
          <TopupPanel />
          <DuePanel />
        </div>
      </div>
    </div>
  )
}
