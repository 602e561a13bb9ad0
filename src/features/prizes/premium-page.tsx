'use client'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { PremiumOffer, PremiumView } from '#contracts/http/premium.ts'
import { formatDate } from '@/lib/format/date.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { Button } from '@/ui/controls/button.tsx'
import { MoneyLine } from '@/ui/surfaces/money-line.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { Together, useTogether } from '@/ui/surfaces/together.tsx'
import { LossPanel } from './loss-panel.tsx'
import { PremiumDialog } from './premium-dialog.tsx'
import { premiumQuery } from './prize-queries.ts'

type TierProps = { offer: PremiumOffer; view: PremiumView; onBuy: () => void }

const Tier = ({ offer, view, onBuy }: TierProps) => {
  const t = useTranslations('premium')
  const locale = useLocale()
  const isOwn = offer.tier === view.tier
  return (
    <section className="tier" aria-label={t(`tiers.${offer.tier}`)}>
      <h2>{t(`tiers.${offer.tier}`)}</h2>
      <MoneyLine
        rows={[
          { id: 'backups', term: t('backupSlots'), amount: offer.backupSlots },
          { id: 'users', term: t('subUsers'), amount: offer.subUsers },
          { id: 'spins', term: t('spins'), amount: `+${offer.spins}` },
          { id: 'discount', term: t('discount'), amount: `${offer.discountPercent} %` },
          {
            id: 'price',
            term: t('price', { days: offer.days }),
            amount: formatMoney(offer.priceFt, locale),
            kind: 'total',
          },
        ]}
      />
      {view.tier === 'none' ? (
        <Button look="primary" wide className="mt-3" onClick={onBuy}>
          {t('buy', { tier: t(`tiers.${offer.tier}`) })}
        </Button>
      ) : isOwn ? (
        <p className="t2 mt-3">{t('yours')}</p>
      ) : null}
    </section>
  )
}

const Tiers = ({ view }: { view: PremiumView }) => {
  const t = useTranslations('premium')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const [asked, setAsked] = useState<PremiumOffer | null>(null)
  const [none] = view.offers.filter(({ tier }) => tier === 'none')
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
      {none ? <p className="t2 mb-4">{t('without', { backups: none.backupSlots, users: none.subUsers })}</p> : null}
      <div className="tiers">
        {view.offers
          .filter(({ tier }) => tier !== 'none')
          .map((offer) => (
            <Tier key={offer.tier} offer={offer} view={view} onBuy={() => setAsked(offer)} />
          ))}
      </div>
      {view.losses.length > 0 ? <LossPanel losses={view.losses} /> : null}
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
