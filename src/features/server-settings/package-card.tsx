'use client'
import clsx from 'clsx'
import { useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { PackageOffer, ServerPackages } from '#contracts/http/package-change.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { memoryText } from '@/lib/format/size.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Mark } from '@/ui/surfaces/notice.tsx'
import { MissingMoney } from './missing-money.tsx'

type Present = ServerPackages['present']
type CardProps = {
  size: Pick<Present, 'name' | 'resources' | 'monthlyFt'>
  mark?: ReactNode
  isPresent?: boolean
  children?: ReactNode
}

const Card = ({ size, mark, isPresent = false, children }: CardProps) => {
  const t = useTranslations('serverSettings.package')
  const ts = useTranslations('services')
  const locale = useLocale()
  const { cpuPercent, ramMiB, storageMiB } = size.resources
  const rows = [
    ['ramMiB', memoryText(ramMiB, locale)],
    ['cpuPercent', `${cpuPercent}\u00A0%`],
    ['storageMiB', memoryText(storageMiB, locale)],
  ] as const
  return (
    <li className={clsx('package', isPresent && 'package-present')} {...(isPresent ? { 'aria-current': true } : {})}>
      <h3>
        {size.name} {mark}
      </h3>
      <p className="package-price">{t('monthly', { price: formatMoney(size.monthlyFt, locale) })}</p>
      <dl>
        {rows.map(([kind, text]) => (
          <div key={kind}>
            <dt>{ts(`resources.${kind}`)}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {children}
    </li>
  )
}

export const PresentPackage = ({ present }: { present: Present }) => {
  const t = useTranslations('serverSettings.package')
  return <Card size={present} isPresent mark={<Mark tone="go">{t('present')}</Mark>} />
}

type OfferProps = {
  offer: PackageOffer
  packages: ServerPackages
  isPlanned: boolean
  /** The planned change is paid, so nothing else can be chosen until it is made. */
  isSettled: boolean
  onChoose: () => void
}

/** Another package: its size and price, its charge now, and the button that asks for the confirmation. */
export const PackageCard = ({ offer, packages, isPlanned, isSettled, onChoose }: OfferProps) => {
  const t = useTranslations('serverSettings.package')
  const locale = useLocale()
  const { at, chargeFt, missingFt, obstacle, name } = offer
  const charge = formatMoney(chargeFt, locale)
  const isOffered = obstacle === null && missingFt === 0 && !isPlanned && !isSettled
  return (
    <Card size={offer} mark={isPlanned ? <Mark tone="wait">{t('plannedMark')}</Mark> : null}>
      {at === 'renewal' ? <p className="t2">{t('atRenewal')}</p> : null}
      {chargeFt > 0 ? <p className="t2">{t('chargeNow', { price: charge, count: packages.days })}</p> : null}
      {obstacle === null ? null : <p className="package-no">{t(`obstacles.${obstacle}`)}</p>}
      {obstacle === null && missingFt > 0 && !isSettled ? (
        <MissingMoney missingFt={missingFt} topUp={t('topUp')}>
          {t('missing', { price: formatMoney(missingFt, locale) })}
        </MissingMoney>
      ) : null}
      {isOffered ? (
        <Button onClick={onChoose} aria-label={`${t(at === 'once' ? 'choose' : 'plan')}: ${name}`}>
          {t(at === 'once' ? 'choose' : 'plan')}
        </Button>
      ) : null}
    </Card>
  )
}
