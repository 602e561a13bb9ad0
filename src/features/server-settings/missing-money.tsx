'use client'
import type { ReactNode } from 'react'
import { rememberWayBack } from '@/lib/way-back.ts'
import { buttonClass } from '@/ui/button.tsx'
import { Notice } from '@/ui/notice.tsx'
import { PageLink } from '@/ui/page-link.tsx'

const topUpStep = 500

/** What is missing, with a way on: the balance page opens with it, in whole hundreds, and leads back here. */
export const MissingMoney = ({
  missingFt,
  topUp,
  children,
}: {
  missingFt: number
  topUp: string
  children: ReactNode
}) => {
  const suggestedFt = Math.max(topUpStep, Math.ceil(missingFt / 100) * 100)
  return (
    <Notice
      tone="wait"
      role="status"
      action={
        <PageLink
          className={buttonClass({ look: 'primary', size: 's' })}
          href={`/dashboard/balance/summary?amount=${suggestedFt}`}
          onClick={() => rememberWayBack(window.location.pathname + window.location.search)}
        >
          {topUp}
        </PageLink>
      }
    >
      {children}
    </Notice>
  )
}
