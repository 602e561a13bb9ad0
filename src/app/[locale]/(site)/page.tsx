import type { Metadata } from 'next'
import { getTranslations, setRequestLocale } from 'next-intl/server'
import { Departures } from '@/features/content/components/departures.tsx'
import { LandingOpening } from '@/features/content/components/landing-opening.tsx'
import { Partners, Questions, Terminus } from '@/features/content/components/landing-sections.tsx'
import { LandingData } from '@/features/content/components/landing-data.tsx'
import { PanelDemo } from '@/features/content/components/panel-demo.tsx'
import { ServerWay } from '@/features/content/components/server-way.tsx'
import { SiteFrame } from '@/features/content/components/site-frame.tsx'
import { WhyUs } from '@/features/content/components/why-us.tsx'
import { pageMetadata } from '@/features/content/page-metadata.ts'
import { landingContent } from '@/features/content/queries.ts'
import type { Locale } from '@/i18n/locales.ts'

// The CMS's hooks refresh the page at once; the hour is a fallback for a lost refresh.
export const revalidate = 3600

type Props = { params: Promise<{ locale: Locale }> }

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { locale } = await params
  const words = await getTranslations({ locale, namespace: 'landing' })
  return pageMetadata({
    locale,
    path: '/',
    title: words('metaTitle'),
    description: words('metaDescription'),
    bare: true,
  })
}

const LandingPage = async ({ params }: Props) => {
  const { locale } = await params
  setRequestLocale(locale)
  const landing = await landingContent(locale)
  return (
    <SiteFrame locale={locale} path="/">
      <LandingOpening locale={locale} landing={landing} />
      <Departures locale={locale} landing={landing} />
      <div className="route frame">
        <ServerWay />
        <WhyUs locale={locale} landing={landing} />
        <PanelDemo locale={locale} landing={landing} />
        <Partners landing={landing} />
        <Questions landing={landing} />
        <Terminus />
      </div>
      <LandingData locale={locale} landing={landing} />
    </SiteFrame>
  )
}

export default LandingPage
