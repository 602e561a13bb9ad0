'use client'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { useState } from 'react'
import type { PackageChangeRecord, PackageOffer, ServerPackages } from '#contracts/http/package-change.ts'
import type { Server } from '#contracts/http/server.ts'
import { isUnknown } from '@/lib/browser-client/failure.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { formatDate } from '@/lib/format/date.ts'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { SkeletonRows } from '@/ui/surfaces/states.tsx'
import { PackageCard, PresentPackage } from './package-card.tsx'
import { PackageDialog } from './package-dialog.tsx'
import { PlannedChange } from './planned-change.tsx'
import { packagesQuery, useChangePackage } from './use-package.ts'

/** Why the change was refused, and whether that is known. */
const Failure = ({ failure }: { failure: unknown }) => {
  const t = useTranslations('serverSettings.package')
  const failureText = useFailureText()
  return (
    <Notice tone="stop" role="alert">
      {failureText(failure)} {t(isUnknown(failure) ? 'unknown' : 'nothingCharged')}
    </Notice>
  )
}

const Done = ({ change }: { change: PackageChangeRecord }) => {
  const t = useTranslations('serverSettings.package')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const date = formatDate(change.startsAt, locale, { style: 'date', timeZone })
  return <Notice tone="go">{change.at === 'once' ? t('done') : t('planned', { date })}</Notice>
}

type OffersProps = { server: Server; packages: ServerPackages }

const Offers = ({ server, packages }: OffersProps) => {
  const t = useTranslations('serverSettings.package')
  const [asked, setAsked] = useState<PackageOffer | null>(null)
  const change = useChangePackage(server.id)
  const confirm = ({ packageId, chargeFt, monthlyFt }: PackageOffer) =>
    change.mutate(
      { packageId, expectedChargeFt: chargeFt, expectedMonthlyFt: monthlyFt },
      { onSettled: () => setAsked(null) },
    )
  const { present, offers, planned } = packages
  const isPlanned = (offer: PackageOffer) => offer.packageId === planned?.packageId
  return (
    <div className="renewal">
      {planned ? <PlannedChange serverId={server.id} planned={planned} /> : null}
      <ul className="packages">
        <PresentPackage present={present} />
        {offers.map((offer) => (
          <PackageCard
            key={offer.packageId}
            offer={offer}
            packages={packages}
            isPlanned={isPlanned(offer)}
            isSettled={planned?.isPaid === true}
            onChoose={() => {
              change.reset()
              setAsked(offer)
            }}
          />
        ))}
      </ul>
      {offers.length === 0 ? <p className="t2">{t('noOther')}</p> : null}
      {change.error === null ? null : <Failure failure={change.error} />}
      <div role="status">{change.data ? <Done change={change.data.change} /> : null}</div>
      <PackageDialog
        offer={asked}
        packages={packages}
        serverName={server.name}
        isBusy={change.isPending}
        onClose={() => setAsked(null)}
        onConfirm={confirm}
      />
    </div>
  )
}

/** The packages of the service: the present one, and the others with their price now and from the next renewal on. */
export const PackageChoice = ({ server }: { server: Server }) => {
  const t = useTranslations('serverSettings.package')
  const tc = useTranslations('common')
  const query = useQuery(packagesQuery(server.id))
  return (
    <Region query={query} skeleton={<SkeletonRows rows={6} label={tc('loading')} />} failed={t('failed')}>
      {(packages) => <Offers server={server} packages={packages} />}
    </Region>
  )
}
