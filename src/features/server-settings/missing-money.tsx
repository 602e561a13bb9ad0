'use client'
import type { ReactNode } from 'react'
import { suggestedTopUpFt } from '#domain/payments/top-up.ts'
import { rememberWayBack } from '@/lib/navigation/way-back.ts'
import { buttonClass } from '@/ui/controls/button.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'

/** The missing amount, with a link: the balance page opens with it, rounded up to hundreds, and leads back here. */
export const MissingMoney = ({
  missingFt,
  topUp,
  children,
}: {
  missingFt: number
  topUp: string
  children: ReactNode
}) => {
  return (
    <Notice
      tone="wait"
      role="status"
      action={
        <PageLink
          className={buttonClass({ look: 'primary', size: 's' })}
          href={`/dashboard/balance/summary?amount=${suggestedTopUpFt(missingFt)}`}
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
