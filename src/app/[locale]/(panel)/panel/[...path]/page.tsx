import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { pageLocale } from '@/features/dashboard/page-props.ts'
import type { LocaleProps } from '@/features/dashboard/page-props.ts'
import { UnknownPanelPage } from '@/features/dashboard/unknown-panel-page.tsx'

// Rendered on demand and never cached: anyone can invent any number of addresses.
export const dynamic = 'force-dynamic'

export const generateMetadata = async ({ params }: LocaleProps): Promise<Metadata> => {
  const t = await getTranslations({ locale: await pageLocale(params), namespace: 'panel.unknown' })
  return { title: t('title') }
}

/** An address of a panel that is none of its pages. */
const Page = async ({ params }: LocaleProps) => {
  await pageLocale(params)
  return <UnknownPanelPage />
}

export default Page
