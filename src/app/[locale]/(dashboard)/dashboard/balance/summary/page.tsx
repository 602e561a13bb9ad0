import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { BalancePage } from '@/features/billing/balance-page.tsx'
import { pageLocale } from '@/features/dashboard/page-props.ts'
import type { LocaleProps } from '@/features/dashboard/page-props.ts'

export const generateMetadata = async ({ params }: LocaleProps): Promise<Metadata> => {
  const t = await getTranslations({ locale: await pageLocale(params), namespace: 'balance' })
  return { title: t('title') }
}

const Page = async ({ params }: LocaleProps) => {
  await pageLocale(params)
  return <BalancePage />
}

export default Page
