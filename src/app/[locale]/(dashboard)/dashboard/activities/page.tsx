import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { pageLocale } from '@/features/dashboard/page-props.ts'
import type { LocaleProps } from '@/features/dashboard/page-props.ts'
import { ActivitiesPage } from '@/features/activities/activities-page.tsx'

export const generateMetadata = async ({ params }: LocaleProps): Promise<Metadata> => {
  const t = await getTranslations({ locale: await pageLocale(params), namespace: 'activities' })
  return { title: t('title') }
}

const Page = async ({ params }: LocaleProps) => {
  await pageLocale(params)
  return <ActivitiesPage />
}

export default Page
