import type { Metadata } from 'next'
import { getTranslations, setRequestLocale } from 'next-intl/server'
import { permanentRedirect } from 'next/navigation'
import { NotFoundView } from '@/features/content/components/not-found-view.tsx'
import { pageMetadata } from '@/features/content/page-metadata.ts'
import { blogFeeds, BlogPage, pagePath } from '@/features/content/posts/blog-page.tsx'
import { postPage } from '@/features/content/posts/read-posts.ts'
import type { Locale } from '@/i18n/locales.ts'
import { localePath } from '@/i18n/negotiate.ts'

// Rendered on demand and never cached: anyone can invent any number.
export const dynamic = 'force-dynamic'

type Props = { params: Promise<{ locale: Locale; number: string }> }

const numberOf = (text: string): number | null => (/^[1-9]\d{0,4}$/.test(text) ? Number(text) : null)

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { locale, number } = await params
  const page = numberOf(number)
  if (page === null) return { title: '404', robots: { index: false } }
  const t = await getTranslations({ locale, namespace: 'blog' })
  const title = t('titleOfPage', { page })
  return pageMetadata({ locale, path: pagePath(page), title, description: t('lead'), feeds: blogFeeds })
}

const Page = async ({ params }: Props) => {
  const { locale, number } = await params
  setRequestLocale(locale)
  const page = numberOf(number)
  if (page === 1) permanentRedirect(localePath(locale, '/blog'))
  if (page === null) return <NotFoundView locale={locale} />
  const found = await postPage(locale, { kind: 'blog', page: Math.min(page, 2_000) })
  if (page > found.pages) return <NotFoundView locale={locale} />
  return <BlogPage locale={locale} path={pagePath(page)} found={found} page={page} />
}

export default Page
