'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import type { WheelView } from '#contracts/http/spin.ts'
import { Region } from '@/ui/surfaces/region.tsx'
import { EmptyState } from '@/ui/surfaces/states.tsx'
import { Together, useTogether } from '@/ui/surfaces/together.tsx'
import { MoreSpinsPanel } from './more-spins-panel.tsx'
import { OddsPanel } from './odds-panel.tsx'
import { wheelQuery } from './prize-queries.ts'
import { SpinHistory } from './spin-history.tsx'
import { WheelPanel } from './wheel-panel.tsx'
import { WonCoupons } from './won-coupons.tsx'

const Wheel = ({ view }: { view: WheelView }) => {
  const t = useTranslations('spin')
  if (!view.isEnabled) return <EmptyState title={t('closedTitle')}>{t('closed')}</EmptyState>
  return (
    <div className="cols spin-cols">
      <div className="col col-main">
        <WheelPanel view={view} />
        <div className="spin-history">
          <SpinHistory />
        </div>
      </div>
      <div className="col col-side">
        <OddsPanel view={view} />
        <MoreSpinsPanel view={view} />
        <WonCoupons view={view} />
      </div>
    </div>
  )
}

/** The prize wheel: odds visible before a draw, and draws verifiable afterwards. */
export const SpinPage = () => {
  const t = useTranslations('spin')
  const query = useQuery(wheelQuery())
  return (
    <div className="page">
      <header className="page-h">
        <h1>{t('title')}</h1>
      </header>
      <Together phase={useTogether(query)} reading={t('readingAll')}>
        <Region query={query} skeleton={null} failed={t('failed')}>
          {(view) => <Wheel view={view} />}
        </Region>
      </Together>
    </div>
  )
}
