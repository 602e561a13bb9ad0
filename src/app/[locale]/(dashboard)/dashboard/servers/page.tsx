import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { InvitationsPanel } from '@/features/collaborators/invitations-panel.tsx'
import { ServersPage } from '@/features/servers/servers-page.tsx'
import { pageLocale } from '@/features/dashboard/page-props.ts'
import type { LocaleProps } from '@/features/dashboard/page-props.ts'

export const generateMetadata = async ({ params }: LocaleProps): Promise<Metadata> => {
  const t = await getTranslations({ locale: await pageLocale(params), namespace: 'servers' })
  return { title: t('title') }
}

const Page = async ({ params }: LocaleProps) => {
  await pageLocale(params)
  return <ServersPage invitations={<InvitationsPanel />} />
}

export default Page
