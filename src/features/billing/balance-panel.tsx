'use client'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { formatMoney } from '@/lib/format/money.ts'
import { balanceQuery } from '@/lib/queries/queries.ts'
import { buttonClass } from '@/ui/controls/button.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { Panel, type PanelTools } from '@/ui/surfaces/panel.tsx'
import { balanceNote } from './balance-board.tsx'

/** The balance with the way to more of it. */
export const BalancePanel = (tools: PanelTools) => {
  const t = useTranslations('balance')
  const ts = useTranslations('summary')
  const locale = useLocale()
  const { data, isError } = useQuery(balanceQuery())
  return (
    <Panel {...tools} title={ts('balance')}>
      <div className="row sum-balance">
        <div className="grow">
          <b className="sum-amount">{data ? formatMoney(data.balanceFt, locale) : '–'}</b>
          <span className="small t2">
            {data ? balanceNote(t, data, locale) : isError ? ts('balanceMissing') : '\u00A0'}
          </span>
        </div>
        <PageLink className={buttonClass({ size: 's' })} href="/dashboard/balance/summary">
          <Plus className="i" aria-hidden />
          {t('topUp')}
        </PageLink>
      </div>
    </Panel>
  )
}
