'use client'
import clsx from 'clsx'
import { useLocale, useTranslations } from 'next-intl'
import type { CSSProperties, ReactNode } from 'react'
import { isBuilt } from '#contracts/features.ts'
import type { PremiumOffer, PremiumView } from '#contracts/http/premium.ts'
import { monthlySavingFt } from '#domain/billing/discount.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { Drawing } from '@/lib/pictures/picture.tsx'
import { Button } from '@/ui/controls/button.tsx'

type RowProps = { readonly term: string; readonly value: string; readonly note?: string; readonly children?: ReactNode }

const Row = ({ term, value, note, children }: RowProps) => (
  <div className="tier-row">
    <dt>{term}</dt>
    <dd>
      <b>{value}</b>
      {note === undefined ? null : <span className="small t2 block">{note}</span>}
      {children}
    </dd>
  </div>
)

const Spins = ({ count }: { count: number }) => (
  <span className="tier-spins" aria-hidden>
    {Array.from({ length: count }, (_, at) => (
      <Drawing key={at} group="prizes" name="respin" width={22} />
    ))}
  </span>
)

/** The share of the highest discount, as a bar. */
const Share = ({ percent, highest }: { percent: number; highest: number }) => (
  <span className="tier-bar" aria-hidden style={{ '--share': `${(100 * percent) / highest}%` } as CSSProperties} />
)

type RowsProps = {
  readonly offer: PremiumOffer
  readonly highest: number
  readonly rentsFt: readonly number[] | undefined
}

/** The benefits of a tier, in the same rows for each; for nobody's tier what everybody has. */
const Benefits = ({ offer, highest, rentsFt }: RowsProps) => {
  const t = useTranslations('premium')
  const locale = useLocale()
  const isNone = offer.tier === 'none'
  const saved = monthlySavingFt(rentsFt ?? [], offer.discountPercent)
  const rentFt = rentsFt?.reduce((sum, priceFt) => sum + priceFt, 0)
  const rentNote = rentFt ? t('rentNow', { price: formatMoney(rentFt, locale) }) : t('noRent')
  return (
    <dl className="tier-rows">
      {isBuilt('saves') ? <Row term={t('backupSlots')} value={String(offer.backupSlots)} /> : null}
      {isBuilt('users') ? <Row term={t('subUsers')} value={String(offer.subUsers)} /> : null}
      <Row
        term={t('spins')}
        value={isNone ? t('weeklyCount') : `+${offer.spins}`}
        note={isNone ? t('weekly') : t('onTop')}
      >
        <Spins count={isNone ? 1 : offer.spins} />
      </Row>
      <Row
        term={t('discount')}
        value={`${offer.discountPercent} %`}
        note={isNone ? rentNote : saved > 0 ? t('saving', { price: formatMoney(saved, locale) }) : rentNote}
      >
        <Share percent={offer.discountPercent} highest={highest} />
      </Row>
    </dl>
  )
}

type TierProps = RowsProps & { readonly view: PremiumView; readonly onBuy: () => void }

const Tier = ({ offer, view, onBuy, ...rows }: TierProps) => {
  const t = useTranslations('premium')
  const locale = useLocale()
  const isOwn = offer.tier === view.tier
  return (
    <section className={clsx('tier', isOwn && 'own')} aria-label={t(`tiers.${offer.tier}`)}>
      {offer.tier === 'none' ? null : <Drawing group="tiers" name={offer.tier} width={72} className="tier-picture" />}
      <h2>{t(`tiers.${offer.tier}`)}</h2>
      <p className="tier-price">
        <b>{formatMoney(offer.priceFt, locale)}</b> <span className="t2">{t('perDays', { days: offer.days })}</span>
      </p>
      <Benefits offer={offer} {...rows} />
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

const Now = ({ none, ...rows }: Omit<RowsProps, 'offer'> & { readonly none: PremiumOffer }) => {
  const t = useTranslations('premium')
  return (
    <section className="tier now" aria-label={t('tiers.none')}>
      <span className="tier-picture tier-start" aria-hidden />
      <h2>{t('tiers.none')}</h2>
      <p className="tier-price t2">{t('forEverybody')}</p>
      <Benefits offer={none} {...rows} />
    </section>
  )
}

/** Picture, name, price, a row for each benefit, and the button. */
const ROWS = 4 + 2 + (isBuilt('saves') ? 1 : 0) + (isBuilt('users') ? 1 : 0)

type BoardProps = {
  readonly view: PremiumView
  /** The monthly rent of each of the reader's own servers; undefined while it loads. */
  readonly rentsFt: readonly number[] | undefined
  readonly onBuy: (offer: PremiumOffer) => void
}

/**
 * The perks of everybody beside those of each tier, row by row, with the effect of a discount on the servers that the
 * reader rents now.
 */
export const TierBoard = ({ view, rentsFt, onBuy }: BoardProps) => {
  const none = view.offers.find(({ tier }) => tier === 'none')
  const sold = view.offers.filter(({ tier }) => tier !== 'none')
  const highest = Math.max(1, ...sold.map(({ discountPercent }) => discountPercent))
  return (
    <div className="tiers" style={{ '--rows': ROWS } as CSSProperties}>
      {none ? <Now none={none} highest={highest} rentsFt={rentsFt} /> : null}
      {sold.map((offer) => (
        <Tier
          key={offer.tier}
          offer={offer}
          view={view}
          highest={highest}
          rentsFt={rentsFt}
          onBuy={() => onBuy(offer)}
        />
      ))}
    </div>
  )
}
