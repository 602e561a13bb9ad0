'use client'
import { useTranslations } from 'next-intl'
import type { Service } from '#contracts/http/service.ts'
import { usePlaces } from './use-places.ts'

/** The version that is installed, and where, with the reader's ping to the place once it has been measured. */
export const GameFacts = ({ service }: { service: Service }) => {
  const t = useTranslations('services.facts')
  const places = usePlaces(service.places)
  if (service.version === null && places.length === 0) return null
  return (
    <dl className="rent-facts">
      {service.version === null ? null : (
        <div>
          <dt>{t('version')}</dt>
          <dd>{service.version === 'latest' ? t('newest') : service.version}</dd>
        </div>
      )}
      {places.length === 0 ? null : (
        <div>
          <dt>{t('place')}</dt>
          {places.map(({ name, pingMs }) => (
            <dd key={name}>
              {name} {pingMs === null ? null : <span className="t2 nw">{t('ping', { ms: pingMs })}</span>}
            </dd>
          ))}
        </div>
      )}
    </dl>
  )
}
