import { getTranslations } from 'next-intl/server'
import type { Locale } from '@/i18n/locales.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { Icon } from '@/ui/signs/icon.tsx'
import type { LandingView, Product } from '../landing-view.ts'
import { productHref, sectionIds } from '../site-links.ts'

type Priced = Product & { fromPriceFt: number }
const isPriced = (product: Product): product is Priced => product.fromPriceFt !== null

const Row = ({ product, end }: { product: Product; end: string }) => (
  <li>
    <a href={productHref(product)}>
      <b>{product.name}</b>
      <span className="dep__d">{product.description}</span>
      <span className="dep__p">{end}</span>
      <Icon name="forward" size={28} />
    </a>
  </li>
)

/** A service that this installation cannot install says so, and leads nowhere. */
const LaterRow = ({ product, words }: { product: Product; words: string }) => (
  <li className="dep__later">
    <div>
      <b>{product.name}</b>
      <span className="dep__d">{product.description}</span>
      <span className="dep__when">{words}</span>
    </div>
  </li>
)

/** The products as one enamel sign, like a departure board: name, description, lowest monthly price. */
export const Departures = async ({ locale, landing }: { locale: Locale; landing: LandingView }) => {
  const words = await getTranslations('landing')
  const priced = landing.products.filter(isPriced).filter(({ available }) => available)
  const sized = landing.products.filter((product) => product.available && !isPriced(product))
  const later = landing.products.filter(({ available }) => !available)
  return (
    <section className="frame" id={sectionIds.products} aria-labelledby="h-sign">
      <div className="sign dep">
        <div className="sign__in">
          <div className="dep__head">
            <h2 id="h-sign">{words('signTitle')}</h2>
            <span>{words('signPrice')}</span>
          </div>
          <ul className="dep__list">
            {priced.map((product) => (
              <Row key={product.slug} product={product} end={formatMoney(product.fromPriceFt, locale)} />
            ))}
            {later.map((product) => (
              <LaterRow key={product.slug} product={product} words={words('notYet')} />
            ))}
            {landing.products.length === 0 ? <li className="dep__none">{words('noProducts')}</li> : null}
          </ul>
          {sized.length > 0 ? (
            <div className="dep__more">
              <p>
                <b>{words('also')}</b> {words('alsoText')}
              </p>
              <ul>
                {sized.map((product) => (
                  <li key={product.slug}>
                    <a href={productHref(product)}>
                      <b>{product.name}</b>
                      <span>{product.description}</span>
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          ) : null}
          <a className="dep__all" href="/dashboard/services">
            {words('fullList', { count: landing.products.length })}
            <Icon name="forward" size={20} />
          </a>
        </div>
      </div>
    </section>
  )
}
