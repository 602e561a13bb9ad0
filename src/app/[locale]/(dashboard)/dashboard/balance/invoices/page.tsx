import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { InvoicesPage } from '@/features/billing/invoices-page.tsx'
import { pageLocale } from '@/features/dashboard/page-props.ts'
import type { LocaleProps } from '@/features/dashboard/page-props.ts'

export const generateMetadata = async ({ params }: LocaleProps): Promise<Metadata> => {
  const t = await getTranslations({ locale: await pageLocale(params), namespace: 'invoices' })
  return { title: t('title') }
}

const Page = async ({ params }: LocaleProps) => {
  await pageLocale(params)
  return <InvoicesPage />
}

export default Page
