import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { pageLocale } from '@/features/dashboard/page-props.ts'
import type { LocaleProps } from '@/features/dashboard/page-props.ts'
import { PremiumPage } from '@/features/prizes/premium-page.tsx'
import { WithdrawalPanel } from '@/features/withdrawal/withdrawal-panel.tsx'

export const generateMetadata = async ({ params }: LocaleProps): Promise<Metadata> => {
  const t = await getTranslations({ locale: await pageLocale(params), namespace: 'premium' })
  return { title: t('title') }
}

const Page = async ({ params }: LocaleProps) => {
  await pageLocale(params)
  return (
    <PremiumPage>
      <WithdrawalPanel />
    </PremiumPage>
  )
}

export default Page
