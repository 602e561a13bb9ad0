import type { Metadata } from 'next'
import { getTranslations, setRequestLocale } from 'next-intl/server'
import { permanentRedirect } from 'next/navigation'
import { NotFoundView } from '@/features/content/components/not-found-view.tsx'
import { pageMetadata } from '@/features/content/page-metadata.ts'
import { blogFeeds, BlogPage, pagePath } from '@/features/content/posts/blog-page.tsx'
import { postPage } from '@/features/content/posts/read-posts.ts'
import type { Locale } from '@/i18n/locales.ts'
import { localePath } from '@/i18n/negotiate.ts'

// Rendered on demand: anyone can invent any number. The posts of a page are kept, but only of pages that exist.
export const dynamic = 'force-dynamic'

type Props = { params: Promise<{ locale: Locale; number: string }> }

/** The language switch leads to the newest posts. */
const toBlog = { en: localePath('en', '/blog'), hu: localePath('hu', '/blog'), de: localePath('de', '/blog') }

const numberOf = (text: string): number | null => (/^[1-9]\d{0,4}$/.test(text) ? Number(text) : null)

/** The number of a page that exists, or null. Page 1 is always kept, and tells how many there are. */
const existing = async (locale: Locale, text: string): Promise<number | null> => {
  const page = numberOf(text)
  if (page === null) return null
  return page <= (await postPage(locale, { kind: 'blog', page: 1 })).pages ? page : null
}

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { locale, number } = await params
  const page = await existing(locale, number)
  if (page === null) return { title: '404', robots: { index: false } }
  const t = await getTranslations({ locale, namespace: 'blog' })
  const title = t('titleOfPage', { page })
  const path = pagePath(page)
  // Languages differ in their posts, so no page has its like under another prefix.
  const languages = { [locale]: path }
  return pageMetadata({ locale, path, title, description: t('lead'), languages, feeds: blogFeeds })
}

const Page = async ({ params }: Props) => {
  const { locale, number } = await params
  setRequestLocale(locale)
  const page = await existing(locale, number)
  if (page === 1) permanentRedirect(localePath(locale, '/blog'))
  if (page === null) return <NotFoundView locale={locale} />
  const found = await postPage(locale, { kind: 'blog', page })
  return <BlogPage locale={locale} path={pagePath(page)} languages={toBlog} found={found} page={page} />
}

export default Page
