'use client'
import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { Suspense } from 'react'
import type { Service } from '#contracts/http/service.ts'
import { servicesQuery } from '@/lib/queries/queries.ts'
import { useIsOff } from '@/lib/queries/use-switches.ts'
import { Drawing } from '@/lib/pictures/picture.tsx'
import { useAddressChoice, useAddressText } from '@/ui/screen/address-state.ts'
import { Chip } from '@/ui/controls/chip.tsx'
import { Input } from '@/ui/controls/input.tsx'
import { OrderingClosed } from '@/lib/ordering/ordering-closed.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { EmptyState, Skeleton } from '@/ui/surfaces/states.tsx'
import { FeaturedOffer } from './featured-offer.tsx'
import { OfferTable } from './offer-table.tsx'
import { isRentable, offersOf } from './offers.ts'
import type { OfferCategory } from './offers.ts'
import { RentDialog } from './rent-dialog.tsx'

const OffersSkeleton = () => {
  const t = useTranslations('common')
  return (
    <div role="status">
      <span className="vh">{t('loading')}</span>
      {Array.from({ length: 5 }, (_, row) => (
        <div key={row} className="offer-skel">
          <Skeleton width="190px" height={76} className="offer-skel-pic" />
          <span className="grow">
            <Skeleton width="24%" height={18} />
            <Skeleton width="42%" className="mt-2" />
          </span>
          <Skeleton width="96px" height={18} />
          <Skeleton width="80px" height={40} />
        </div>
      ))}
    </div>
  )
}

const Offers = ({ services, category }: { services: readonly Service[]; category: OfferCategory }) => {
  const t = useTranslations('services')
  const locale = useLocale()
  const [search, setSearch] = useAddressText('q')
  const [which, setWhich] = useAddressChoice('show', ['all', 'highlighted'])
  const isClosed = useIsOff('ordering')
  const highlightedOnly = which === 'highlighted'
  const all = offersOf(services, { category, search: '', highlightedOnly: false, locale })
  const shown = offersOf(services, { category, search, highlightedOnly, locale })
  if (all.length === 0)
    return <EmptyState picture={<Drawing group="empty" name="servers" width={320} />}>{t('noOffers')}</EmptyState>
  const featured = isClosed ? undefined : all.find((service) => service.highlighted && isRentable(service))
  return (
    <>
      {featured ? <FeaturedOffer service={featured} /> : null}
      <div className="offer-tools">
        <Input
          label={t('search')}
          placeholder={t('search')}
          type="search"
          icon={<Search className="i" aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <div className="row wrap" role="group" aria-label={t('filter')}>
          <Chip pressed={!highlightedOnly} onClick={() => setWhich('all')}>
            {t('all')}
          </Chip>
          <Chip pressed={highlightedOnly} onClick={() => setWhich('highlighted')}>
            {t('highlighted')}
          </Chip>
        </div>
      </div>
      {shown.length === 0 ? (
        <EmptyState picture={<Drawing group="empty" name="nothing-found" width={320} />}>{t('noMatch')}</EmptyState>
      ) : (
        <OfferTable services={shown} />
      )}
    </>
  )
}

const Heading = ({ category }: { category: OfferCategory }) => {
  const t = useTranslations('services')
  return (
    <header className="page-h">
      <div>
        <h1>{t(category === 'all' ? 'title' : category)}</h1>
        <p>{t('lead')}</p>
      </div>
    </header>
  )
}

const Catalogue = ({ category }: { category: OfferCategory }) => {
  const t = useTranslations('services')
  const query = useQuery(servicesQuery())
  const isClosed = useIsOff('ordering')
  return (
    <div className="page">
      <Heading category={category} />
      <OrderingClosed isClosed={isClosed} />
      <Region query={query} skeleton={<OffersSkeleton />} failed={t('failed')}>
        {(services) => <Offers services={services} category={category} />}
      </Region>
      <RentDialog services={query.data ?? []} />
    </div>
  )
}

/** The catalog, and the rent form over it if the address names an offer (`?rent=`) and its size (`&package=`). */
export const ServicesPage = ({ category }: { category: OfferCategory }) => (
  <Suspense
    fallback={
      <div className="page">
        <Heading category={category} />
      </div>
    }
  >
    <Catalogue category={category} />
  </Suspense>
)
