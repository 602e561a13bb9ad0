import { getTranslations } from 'next-intl/server'
import type { Locale } from '@/i18n/locales.ts'
import { formatMoney } from '@/lib/format/money.ts'
import { ButtonLink } from '@/ui/controls/button.tsx'
import type { LandingView } from '../landing-view.ts'
import { dashboardHref, trialHref } from '../site-links.ts'
import { StatusLine } from './status-line.tsx'

/** Keeps an amount and its suffix ("580 Ft-tól") on one line. */
const Unbroken = ({ text, amount }: { text: string; amount: string | null }) => {
  const at = amount === null ? -1 : text.indexOf(amount)
  if (amount === null || at < 0) return <>{text}</>
  const rest = text.slice(at + amount.length)
  const suffix = /^\S*/.exec(rest)?.[0] ?? ''
  return (
    <>
      {text.slice(0, at)}
      <span className="nb">
        {amount}
        {suffix}
      </span>
      {rest.slice(suffix.length)}
    </>
  )
}

const lowestPriceFt = ({ products }: LandingView) =>
  products.reduce<number | null>(
    (lowest, { available, fromPriceFt }) =>
      available && fromPriceFt !== null && (lowest === null || fromPriceFt < lowest) ? fromPriceFt : lowest,
    null,
  )

/**
 * Title, lowest price, and two links. Editors may write {price} in the title: it is replaced by the lowest price
 * that can be ordered here.
 */
export const LandingOpening = async ({ locale, landing }: { locale: Locale; landing: LandingView }) => {
  const [words, common] = await Promise.all([getTranslations('landing'), getTranslations('common')])
  const lowest = lowestPriceFt(landing)
  const price = lowest === null ? null : formatMoney(lowest, locale)
  const standard = price === null ? words('heroTitleBare') : words('heroTitle', { price })
  const written = landing.hero?.title
  const title =
    !written || (written.includes('{price}') && price === null) ? standard : written.replace('{price}', price ?? '')
  return (
    <section className="hero frame">
      <StatusLine
        locale={locale}
        words={{
          up: words('status.up'),
          down: words('status.down'),
          unknown: words('status.unknown'),
          at: String(common.raw('updatedAt')),
        }}
      />
      <h1 className="h1">
        <Unbroken text={title} amount={price} />
      </h1>
      <div className="hero__side">
        <p className="lead">{landing.hero?.text ?? words('heroText')}</p>
        <div className="btns">
          <ButtonLink look="primary" size="l" href={dashboardHref}>
            {landing.hero?.callToAction ?? words('heroStart')}
          </ButtonLink>
          <ButtonLink size="l" href={trialHref}>
            {words('heroTrial')}
          </ButtonLink>
        </div>
      </div>
    </section>
  )
}
