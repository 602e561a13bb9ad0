import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { pageLocale } from '@/features/dashboard/page-props.ts'
import type { LocaleProps } from '@/features/dashboard/page-props.ts'
import type { TabId } from '@/features/users/settings/tabs.ts'

/** The exports of one page of the settings. */
export const settingsPage = (tab: TabId, body: () => ReactNode) => {
  const generateMetadata = async ({ params }: LocaleProps): Promise<Metadata> => {
    const t = await getTranslations({ locale: await pageLocale(params), namespace: 'settings' })
    return { title: tab === 'profile' ? t('title') : `${t(`tabs.${tab}`)} · ${t('title')}` }
  }

  const Page = async ({ params }: LocaleProps) => {
    await pageLocale(params)
    return body()
  }

  return { generateMetadata, Page }
}
