import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { pageLocale } from '@/features/dashboard/page-props.ts'
import { UnknownPage } from '@/features/dashboard/unknown-page.tsx'
import { TicketPage } from '@/features/support/ticket-page.tsx'

type TicketProps = { params: Promise<{ locale: string; id: string }> }

// Rendered on demand and never cached: anyone can invent any number of ids.
export const dynamic = 'force-dynamic'

export const generateMetadata = async ({ params }: TicketProps): Promise<Metadata> => {
  const t = await getTranslations({ locale: await pageLocale(params), namespace: 'tickets' })
  return { title: t('one') }
}

const Page = async ({ params }: TicketProps) => {
  await pageLocale(params)
  const { id } = await params
  return <TicketPage id={id} unknown={<UnknownPage />} />
}

export default Page
