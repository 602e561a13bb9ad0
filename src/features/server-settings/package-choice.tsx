'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { PackageOffer, ServerPackages } from '#contracts/http/package-change.ts'
import type { Server } from '#contracts/http/server.ts'
import { isUnknown } from '@/lib/browser-client/failure.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
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
  // The offers are ordered by price, and the current package stands in its place among them.
  const cheaper = offers.filter(({ monthlyFt }) => monthlyFt < present.monthlyFt)
  const card = (offer: PackageOffer) => (
    <PackageCard
      key={offer.packageId}
      offer={offer}
      packages={packages}
      isPlanned={offer.packageId === planned?.packageId}
      isSettled={planned?.isPaid === true}
      onChoose={() => {
        change.reset()
        setAsked(offer)
      }}
    />
  )
  return (
    <div className="renewal">
      <div role="status">{planned ? <PlannedChange serverId={server.id} planned={planned} /> : null}</div>
      <ul className="packages">
        {cheaper.map(card)}
        <PresentPackage present={present} />
        {offers.slice(cheaper.length).map(card)}
      </ul>
      {offers.length === 0 ? <p className="t2">{t('noOther')}</p> : null}
      {change.error === null ? null : <Failure failure={change.error} />}
      <div role="status">{change.data?.change.at === 'once' ? <Notice tone="go">{t('done')}</Notice> : null}</div>
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
