import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { pageLocale } from '@/features/dashboard/page-props.ts'
import type { LocaleProps } from '@/features/dashboard/page-props.ts'
import { SettingsPage } from '@/features/users/settings/settings-page.tsx'

export const generateMetadata = async ({ params }: LocaleProps): Promise<Metadata> => {
  const t = await getTranslations({ locale: await pageLocale(params), namespace: 'settings' })
  return { title: t('title') }
}

const Page = async ({ params }: LocaleProps) => {
  await pageLocale(params)
  return <SettingsPage />
}

export default Page
