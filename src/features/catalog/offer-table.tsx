'use client'
import clsx from 'clsx'
import { useTranslations } from 'next-intl'
import type { Service } from '#contracts/http/service.ts'
import { useIsOff } from '@/lib/queries/use-switches.ts'
import { Picture } from '@/lib/pictures/picture.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { buttonClass } from '@/ui/controls/button.tsx'
import { Lamp } from '@/ui/signs/lamp.tsx'
import { Mark } from '@/ui/surfaces/notice.tsx'
import { isRentable } from './offers.ts'
import { StartingPrice } from './starting-price.tsx'
import { usePlaces } from './use-places.ts'
import { useRentAddress } from './use-rent-address.ts'

/** A rentable service's availability and its places, with the reader's ping. The room of a ping is kept while it is measured. */
const Places = ({ service }: { service: Service }) => {
  const t = useTranslations('services')
  const places = usePlaces(service.places)
  return (
    <span className="stack-0">
      <Lamp kind="go">{t('available')}</Lamp>
      {places.map(({ name, pingMs }) => (
        <span key={name} className="small t2 block">
          {name} <span className="ping">{pingMs === null ? '' : t('facts.ping', { ms: pingMs })}</span>
        </span>
      ))}
    </span>
  )
}

const Row = ({ service }: { service: Service }) => {
  const t = useTranslations('services')
  const tw = useTranslations('switches')
  const isClosed = useIsOff('ordering')
  const { hrefOf } = useRentAddress()
  const rentable = isRentable(service) && !isClosed
  return (
    <tr className={clsx(!rentable && 'shut')}>
      <td className="pic">
        <Picture path={service.banner} width={190} height={76} />
      </td>
      <td className="gm">
        <div className="row wrap">
          <span className="nm">{service.name}</span>
          {service.highlighted ? <Mark>{t('highlighted')}</Mark> : null}
        </div>
        <span className="t2">{service.description}</span>
      </td>
      <td className="av">
        {rentable ? (
          <Places service={service} />
        ) : (
          <span className="stack-0">
            <Lamp kind="off">{t('unavailable')}</Lamp>
            <span className="small t2 block">
              {service.unavailableReason ?? (isClosed ? tw('ordering') : t('notOrderable'))}
            </span>
          </span>
        )}
      </td>
      <td className="num pr">
        <StartingPrice service={service} />
      </td>
      <td className="num go">
        {rentable ? (
          <PageLink className={buttonClass({})} href={hrefOf(service)} scroll={false}>
            {t('rent')}
            <span className="vh">: {service.name}</span>
          </PageLink>
        ) : null}
      </td>
    </tr>
  )
}

/** The catalog as a departure board: name, availability, lowest price, rent. */
export const OfferTable = ({ services }: { services: readonly Service[] }) => {
  const t = useTranslations('services')
  return (
    <table className="t dep">
      <caption className="vh">{t('game')}</caption>
      <thead>
        <tr>
          <th scope="col" colSpan={2}>
            {t('columns.game')}
          </th>
          <th scope="col">{t('columns.availability')}</th>
          <th scope="col" className="num">
            {t('columns.price')}
          </th>
          <th scope="col">
            <span className="vh">{t('rent')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {services.map((service) => (
          <Row key={service.id} service={service} />
        ))}
      </tbody>
    </table>
  )
}
