'use client'
import { useQuery } from '@tanstack/react-query'
import { LogOut, Plus } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { logOut } from '@/lib/browser-client/browser-client.ts'
import { balanceQuery, meQuery } from '@/lib/queries/queries.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { buttonClass, IconButton } from '@/ui/controls/button.tsx'
import { Skeleton } from '@/ui/surfaces/states.tsx'

const Amount = () => {
  const t = useTranslations('dashboard')
  const locale = useLocale()
  const balance = useQuery(balanceQuery())
  const me = useQuery(meQuery())
  const amount = balance.data?.balanceFt ?? me.data?.balance
  if (amount !== undefined && amount !== null) return <b className="foot-amount">{formatMoney(amount, locale)}</b>
  if (balance.isPending) return <Skeleton width="96px" height={16} className="my-1.5" />
  return <span className="small t2">{t('balanceUnknown')}</span>
}

/** The balance at the end of the menu, always visible. `note` says how long it lasts. */
export const BalanceFoot = ({ note }: { note?: ReactNode }) => {
  const t = useTranslations('dashboard')
  const tc = useTranslations('common')
  return (
    <div className="side-foot">
      <div className="row">
        <div className="grow">
          <span className="small t2">{t('balance')}</span>
          <div>
            <Amount />
          </div>
        </div>
        <PageLink className={buttonClass({}, 'foot-topup')} href="/dashboard/balance/summary">
          <Plus className="i" aria-hidden />
          {t('topUp')}
        </PageLink>
      </div>
      <div className="row foot-end">
        <div className="grow small">{note}</div>
        <IconButton label={tc('logout')} icon={<LogOut className="i" aria-hidden />} onClick={() => void logOut()} />
      </div>
    </div>
  )
}
