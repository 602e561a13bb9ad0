import { siteUrl } from '@/lib/site/site-url.ts'
import { localePath } from '@/i18n/negotiate.ts'
import type { Locale } from '@/i18n/locales.ts'
import type { LandingView } from '../landing-view.ts'
import { StructuredData } from './structured-data.tsx'

const offers = (landing: LandingView) =>
  landing.products.flatMap(({ name, description, fromPriceFt, available }) =>
    fromPriceFt === null || !available
      ? []
      : [
          {
            '@type': 'Product',
            name,
            description: description || name,
            offers: {
              '@type': 'Offer',
              price: fromPriceFt,
              priceCurrency: 'HUF',
              availability: 'https://schema.org/InStock',
            },
          },
        ],
  )

const questions = (landing: LandingView) =>
  landing.faq.length === 0
    ? []
    : [
        {
          '@type': 'FAQPage',
          mainEntity: landing.faq.map(({ question, answer }) => ({
            '@type': 'Question',
            name: question,
            acceptedAnswer: { '@type': 'Answer', text: answer },
          })),
        },
      ]

/** The landing page for search engines. */
export const LandingData = ({ locale, landing }: { locale: Locale; landing: LandingView }) => {
  const site = {
    '@type': 'WebSite',
    url: `${siteUrl()}${localePath(locale, '/')}`,
    inLanguage: locale,
  }
  const graph = { '@context': 'https://schema.org', '@graph': [site, ...offers(landing), ...questions(landing)] }
  return <StructuredData data={graph} />
}
