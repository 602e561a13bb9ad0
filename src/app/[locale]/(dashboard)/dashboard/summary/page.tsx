import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { SummaryView } from './summary-view.tsx'
import { publishedNews } from '@/features/content/queries.ts'
import { pageLocale } from '@/features/dashboard/page-props.ts'
import type { LocaleProps } from '@/features/dashboard/page-props.ts'

export const generateMetadata = async ({ params }: LocaleProps): Promise<Metadata> => {
  const t = await getTranslations({ locale: await pageLocale(params), namespace: 'dashboard' })
  return { title: t('entries.summary') }
}

/** More of them are a page of their own. */
const NEWS_SHOWN = 5

const Page = async ({ params }: LocaleProps) => {
  const news = await publishedNews(await pageLocale(params))
  return <SummaryView news={news.slice(0, NEWS_SHOWN).map(({ id, title, createdAt }) => ({ id, title, createdAt }))} />
}

export default Page
