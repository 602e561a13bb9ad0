'use client'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { isBuilt } from '#contracts/features.ts'
import type { PremiumLoss, PremiumOffer, PremiumView } from '#contracts/http/premium.ts'
import { formatDate } from '@/lib/format/date.ts'
import { meQuery, serversQuery } from '@/lib/queries/queries.ts'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { Together, useTogether } from '@/ui/surfaces/together.tsx'
import { LossPanel } from './loss-panel.tsx'
import { PremiumDialog } from './premium-dialog.tsx'
import { premiumQuery } from './prize-queries.ts'
import { TierBoard } from './tier-board.tsx'

/** A benefit of a feature that this build lacks is neither sold nor lost. */
const isBenefitBuilt = (benefit: PremiumLoss['benefit']): boolean =>
  (benefit !== 'backupSlots' || isBuilt('saves')) && (benefit !== 'subUsers' || isBuilt('users'))

const Tiers = ({ view }: { view: PremiumView }) => {
  const t = useTranslations('premium')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const [asked, setAsked] = useState<PremiumOffer | null>(null)
  const losses = view.losses.filter(({ benefit }) => isBenefitBuilt(benefit))
  const userId = useQuery(meQuery()).data?.id
  const servers = useQuery(serversQuery()).data
  const rentsFt = servers?.filter(({ owner }) => owner.id === userId).map(({ monthlyPriceFt }) => monthlyPriceFt)
  return (
    <>
      {view.tier !== 'none' && view.expiresAt !== null ? (
        <Notice tone="go" className="mb-4">
          {t('already', {
            tier: t(`tiers.${view.tier}`),
            date: formatDate(view.expiresAt, locale, { style: 'date', timeZone }),
          })}
        </Notice>
      ) : null}
      <TierBoard view={view} rentsFt={rentsFt} onBuy={setAsked} />
      {losses.length > 0 ? <LossPanel losses={losses} /> : null}
      <PremiumDialog offer={asked} balanceFt={view.balanceFt} onClose={() => setAsked(null)} />
    </>
  )
}

/** The three tiers side by side, the current one, and the consequences of its end. */
export const PremiumPage = ({ children }: { children?: ReactNode }) => {
  const t = useTranslations('premium')
  const query = useQuery(premiumQuery())
  return (
    <div className="page">
      <header className="page-h">
        <h1>{t('title')}</h1>
      </header>
      <Together phase={useTogether(query)} reading={t('readingAll')}>
        <Region query={query} skeleton={null} failed={t('failed')}>
          {(view) => <Tiers view={view} />}
        </Region>
        {children === undefined ? null : <div className="mt-6">{children}</div>}
      </Together>
    </div>
  )
}
