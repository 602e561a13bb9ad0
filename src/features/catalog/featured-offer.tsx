'use client'
import clsx from 'clsx'
import { useLocale, useTranslations } from 'next-intl'
import type { Service } from '#contracts/http/service.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { isDrawing, Picture } from '@/lib/pictures/picture.tsx'
import { buttonClass } from '@/ui/controls/button.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { useRentAddress } from './use-rent-address.ts'

/** The first featured offer over its own picture, on wide screens. The name stands on a ground of its own over a photograph. */
export const FeaturedOffer = ({ service }: { service: Service }) => {
  const t = useTranslations('services')
  const locale = useLocale()
  const { hrefOf } = useRentAddress()
  return (
    <section className="next" aria-labelledby="featured-offer">
      <Picture path={service.banner} width={1_200} height={480} eager />
      <div className={clsx('next-text', !isDrawing(service.banner) && 'on-photo')}>
        <span className="k">{t('highlighted')}</span>
        <h2 id="featured-offer">{service.name}</h2>
        <p>{service.description}</p>
        <div className="buy">
          {service.startingPriceFt === null ? null : (
            <span>
              {t.rich('from', {
                price: formatMoney(service.startingPriceFt, locale),
                small: (text) => <span className="from">{text}</span>,
              })}
            </span>
          )}
          <PageLink className={buttonClass({ look: 'primary' })} href={hrefOf(service)} scroll={false}>
            {t('rent')}
            <span className="vh">: {service.name}</span>
          </PageLink>
        </div>
      </div>
    </section>
  )
}
