import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { pageLocale } from '@/features/dashboard/page-props.ts'
import type { LocaleProps } from '@/features/dashboard/page-props.ts'
import { TicketsPage } from '@/features/support/tickets-page.tsx'

export const generateMetadata = async ({ params }: LocaleProps): Promise<Metadata> => {
  const t = await getTranslations({ locale: await pageLocale(params), namespace: 'tickets' })
  return { title: t('title') }
}

const Page = async ({ params }: LocaleProps) => {
  await pageLocale(params)
  return <TicketsPage />
}

export default Page
