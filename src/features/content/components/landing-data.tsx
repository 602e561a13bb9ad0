import { siteUrl } from '@/lib/site/site-url.ts'
import { localePath } from '@/i18n/negotiate.ts'
import type { Locale } from '@/i18n/locales.ts'
import type { LandingView } from '../landing-view.ts'

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

/** The same content for search engines. `<` is escaped so that no CMS text can end the script element. */
export const LandingData = ({ locale, landing }: { locale: Locale; landing: LandingView }) => {
  const site = {
    '@type': 'WebSite',
    url: `${siteUrl()}${localePath(locale, '/')}`,
    inLanguage: locale,
  }
  const graph = { '@context': 'https://schema.org', '@graph': [site, ...offers(landing), ...questions(landing)] }
  return (
    <script
      type="application/ld+json"
      dangerouslySetInnerHTML={{ __html: JSON.stringify(graph).replaceAll('<', '\\u003c') }}
    />
  )
}
