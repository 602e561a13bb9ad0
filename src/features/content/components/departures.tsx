import clsx from 'clsx'
import { getTranslations } from 'next-intl/server'
import type { CSSProperties } from 'react'
import type { Locale } from '@/i18n/locales.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { Picture } from '@/lib/pictures/picture.tsx'
import { Icon } from '@/ui/signs/icon.tsx'
import { boardOf } from '../board-view.ts'
import type { LandingView, Product } from '../landing-view.ts'
import { productHref, sectionIds } from '../site-links.ts'

/** Columns of the sign's grid (landing.css). */
const GRID_COLUMNS = 12

type WindowProps = {
  readonly product: Product
  readonly end: string
  readonly isLarge: boolean
  /** The first small window of its row. */
  readonly isFirst?: boolean
}

/** A window of the sign: picture, name, description, price. A service that cannot be installed here leads nowhere. */
const Window = ({ product, end, isLarge, isFirst = false }: WindowProps) => {
  const inside = (
    <>
      <Picture path={product.banner} width={isLarge ? 586 : 292} height={isLarge ? 235 : 117} eager={isLarge} />
      <span className="dep__name">
        <b>{product.name}</b>
        <span className="dep__p">{end}</span>
        <span className="dep__d">{product.description}</span>
      </span>
    </>
  )
  return (
    <li className={clsx(isLarge ? 'dep__large' : 'dep__small', isFirst && 'dep__small--first')}>
      {product.available ? <a href={productHref(product)}>{inside}</a> : <div>{inside}</div>}
    </li>
  )
}

/** The products as the windows of one enamel sign: large those with a price, small those by size or not available yet. */
export const Departures = async ({ locale, landing }: { locale: Locale; landing: LandingView }) => {
  const words = await getTranslations('landing')
  const { large, small, columns } = boardOf(landing.products)
  const endOf = ({ available, fromPriceFt }: Product): string => {
    if (!available) return words('notYet')
    return fromPriceFt === null ? words('bySize') : formatMoney(fromPriceFt, locale)
  }
  return (
    <section className="frame" id={sectionIds.products} aria-labelledby="h-sign">
      <div className="sign dep">
        <div className="sign__in">
          <div className="dep__head">
            <h2 id="h-sign">{words('signTitle')}</h2>
            <span>{words('signPrice')}</span>
          </div>
          {landing.products.length === 0 ? <p className="dep__none">{words('noProducts')}</p> : null}
          <ul className="dep__list" style={{ '--dep-small': GRID_COLUMNS / columns } as CSSProperties}>
            {large.map((product) => (
              <Window key={product.slug} product={product} end={endOf(product)} isLarge />
            ))}
            {small.map((product, at) => (
              <Window
                key={product.slug}
                product={product}
                end={endOf(product)}
                isLarge={false}
                isFirst={at % columns === 0}
              />
            ))}
          </ul>
          <a className="dep__all" href="/dashboard/services">
            {words('fullList', { count: landing.products.length })}
            <Icon name="forward" size={20} />
          </a>
        </div>
      </div>
    </section>
  )
}
