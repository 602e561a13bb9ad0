'use client'
import { useTranslations } from 'next-intl'
import type { Service } from '#contracts/http/service.ts'
import { drawingOf, Picture } from '@/lib/pictures/picture.tsx'
import { buttonClass } from '@/ui/controls/button.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { StartingPrice } from './starting-price.tsx'
import { useRentAddress } from './use-rent-address.ts'

/** The first featured offer beside its own picture, on wide screens; a drawing goes on under the text. */
export const FeaturedOffer = ({ service }: { service: Service }) => {
  const t = useTranslations('services')
  const { hrefOf } = useRentAddress()
  return (
    <section className="featured-offer" aria-labelledby="featured-offer" data-drawing={drawingOf(service.banner)}>
      <div className="featured-offer-text">
        <span className="k">{t('highlighted')}</span>
        <h2 id="featured-offer">{service.name}</h2>
        <p>{service.description}</p>
        <div className="buy">
          {service.startingPriceFt === null ? null : (
            <span>
              <StartingPrice service={service} />
            </span>
          )}
          <PageLink className={buttonClass({ look: 'primary' })} href={hrefOf(service)} scroll={false}>
            {t('rent')}
            <span className="vh">: {service.name}</span>
          </PageLink>
        </div>
      </div>
      <Picture path={service.banner} width={600} height={240} eager />
    </section>
  )
}
