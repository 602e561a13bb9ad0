import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { SummaryView } from './summary-view.tsx'
import { pageLocale } from '@/features/dashboard/page-props.ts'
import type { LocaleProps } from '@/features/dashboard/page-props.ts'

export const generateMetadata = async ({ params }: LocaleProps): Promise<Metadata> => {
  const t = await getTranslations({ locale: await pageLocale(params), namespace: 'dashboard' })
  return { title: t('entries.summary') }
}

const Page = async ({ params }: LocaleProps) => {
  await pageLocale(params)
  return <SummaryView />
}

export default Page
