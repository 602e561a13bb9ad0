import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { pageLocale } from '@/features/dashboard/page-props.ts'
import type { LocaleProps } from '@/features/dashboard/page-props.ts'
import { NewTicketPage } from '@/features/support/new-ticket-page.tsx'

export const generateMetadata = async ({ params }: LocaleProps): Promise<Metadata> => {
  const t = await getTranslations({ locale: await pageLocale(params), namespace: 'tickets' })
  return { title: t('new') }
}

const Page = async ({ params }: LocaleProps) => {
  await pageLocale(params)
  return <NewTicketPage />
}

export default Page
