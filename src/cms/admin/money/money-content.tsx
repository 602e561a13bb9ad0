'use client'

import { Gutter, useStepNav } from '@payloadcms/ui'
import { useEffect, type ComponentType } from 'react'
import { BillingClock } from './billing-clock.tsx'
import { Credits } from './credits.tsx'
import { Debts } from './debts.tsx'
import { Invoices } from './invoices.tsx'
import { Ledger } from './ledger.tsx'
import { moneyPageNames, type MoneyPage } from './money-pages.ts'
import { Payments } from './payments.tsx'
import { ServerPages } from './server-pages.tsx'
import { Transactions } from './transactions.tsx'
import { Unmatched } from './unmatched.tsx'
import { useAdminLanguage } from './use-admin-language.ts'

const contents: Readonly<Record<MoneyPage, ComponentType>> = {
  transactions: Transactions,
  payments: Payments,
  unmatched: Unmatched,
  credits: Credits,
  debts: Debts,
  invoices: Invoices,
  servers: ServerPages,
  ledger: Ledger,
  clock: BillingClock,
}

/** One page about money, with its name. */
export const MoneyContent = ({ page }: { page: MoneyPage }) => {
  const { say } = useAdminLanguage()
  const { setStepNav } = useStepNav()
  const title = say(moneyPageNames[page])
  useEffect(() => {
    setStepNav([{ label: title }])
    document.title = `${title} · Bakter`
  }, [setStepNav, title])
  const Content = contents[page]
  return (
    <Gutter className="bakter-money">
      <h1>{title}</h1>
      <Content />
    </Gutter>
  )
}
