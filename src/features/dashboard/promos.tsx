import { getTranslations } from 'next-intl/server'
import type { Locale } from '@/i18n/locales.ts'
import { PageLink } from '@/ui/controls/page-link.tsx'

/** Promotions from the CMS in the menus of dashboard and panel; null or empty if staff have chosen none. */
export type Promotions = {
  /** Names of the popular services, five at most. */
  readonly popular: readonly string[]
  readonly partner: { readonly name: string; readonly url: string; readonly text: string } | null
}

const Popular = async ({ names, locale }: { names: readonly string[]; locale: Locale }) => {
  const t = await getTranslations({ locale, namespace: 'dashboard.promos' })
  return (
    <section className="promo" aria-label={t('popular')}>
      <p aria-hidden="true">{t('popular')}</p>
      <ul>
        {names.map((name) => (
          <li key={name}>
            <PageLink className="chip chip-s" href="/dashboard/services/game">
              {name}
            </PageLink>
          </li>
        ))}
      </ul>
    </section>
  )
}

const Partner = async ({ partner, locale }: { partner: NonNullable<Promotions['partner']>; locale: Locale }) => {
  const t = await getTranslations({ locale, namespace: 'common' })
  return (
    <p className="promo">
      {partner.text}{' '}
      <a className="link" href={partner.url} target="_blank" rel="noopener">
        {partner.name}
        <span className="vh"> {t('newTab')}</span>
      </a>
    </p>
  )
}

/** The last parts of the menu: popular servers and the web-design partner. Empty parts leave no gap. */
export const Promos = ({ promotions, locale }: { promotions: Promotions; locale: Locale }) => (
  <>
    {promotions.popular.length > 0 ? <Popular names={promotions.popular} locale={locale} /> : null}
    {promotions.partner ? <Partner partner={promotions.partner} locale={locale} /> : null}
  </>
)
