import { getTranslations } from 'next-intl/server'
import type { Locale } from '@/i18n/locales.ts'
import { formatCount } from '@/lib/format/money.ts'
import type { LandingView } from '../landing-view.ts'
import { sectionIds } from '../site-links.ts'
import { Section } from './section.tsx'

/** The host's claims, with the number of services from the catalog, then the editors' additions. */
export const WhyUs = async ({ locale, landing }: { locale: Locale; landing: LandingView }) => {
  const [words, site] = await Promise.all([getTranslations('landing'), getTranslations('site')])
  const figures = [
    { key: 'bandwidth', figure: '1', unit: 'Gbit/s' },
    { key: 'availability', figure: formatCount(99.9, locale), unit: '%' },
    { key: 'services', figure: formatCount(landing.products.length, locale), unit: null },
    { key: 'test', figure: '1', unit: words('fig.day', { count: 1 }) },
  ] as const
  return (
    <Section id={sectionIds.whyUs} station={site('whyUs')} title={words('whyTitle')}>
      <dl className="figs figs--cols figs--big">
        {figures.map(({ key, figure, unit }) => (
          <div key={key}>
            <dt>{words(`fig.${key}`)}</dt>
            <dd className="fig">
              {figure}
              {unit === null ? null : <small>{`\u00A0${unit}`}</small>}
            </dd>
          </div>
        ))}
      </dl>
      {landing.whyUs.length > 0 ? (
        <dl className="facts">
          {landing.whyUs.map((fact) => (
            <div key={fact.id}>
              <dt>{fact.title}</dt>
              <dd>{fact.text}</dd>
            </div>
          ))}
        </dl>
      ) : null}
    </Section>
  )
}
