import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { VpsPage } from '@/features/catalog/vps-page.tsx'
import { pageLocale } from '@/features/dashboard/page-props.ts'
import type { LocaleProps } from '@/features/dashboard/page-props.ts'

export const generateMetadata = async ({ params }: LocaleProps): Promise<Metadata> => {
  const t = await getTranslations({ locale: await pageLocale(params), namespace: 'services' })
  return { title: t('vps') }
}

const Page = async ({ params }: LocaleProps) => {
  await pageLocale(params)
  return <VpsPage />
}

export default Page
