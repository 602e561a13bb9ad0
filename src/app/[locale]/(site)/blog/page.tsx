import type { Metadata } from 'next'
import { getTranslations, setRequestLocale } from 'next-intl/server'
import { pageMetadata } from '@/features/content/page-metadata.ts'
import { blogFeeds, BlogPage } from '@/features/content/posts/blog-page.tsx'
import { NewsSection } from '@/features/content/posts/news-section.tsx'
import { postPage } from '@/features/content/posts/read-posts.ts'
import type { Locale } from '@/i18n/locales.ts'

export const revalidate = 3600

type Props = { params: Promise<{ locale: Locale }> }
const path = '/blog'

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { locale } = await params
  const t = await getTranslations({ locale, namespace: 'blog' })
  return pageMetadata({ locale, path, title: t('title'), description: t('lead'), feeds: blogFeeds })
}

const Page = async ({ params }: Props) => {
  const { locale } = await params
  setRequestLocale(locale)
  const found = await postPage(locale, { kind: 'blog', page: 1 })
  return (
    <BlogPage locale={locale} path={path} found={found} page={1}>
      <NewsSection locale={locale} />
    </BlogPage>
  )
}

export default Page
