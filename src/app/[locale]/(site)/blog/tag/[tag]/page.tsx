import type { Metadata } from 'next'
import { getTranslations, setRequestLocale } from 'next-intl/server'
import { notFound } from 'next/navigation'
import { POST_TAGS, postTagOf, tagPath } from '#contracts/posts/posts.ts'
import { pageMetadata } from '@/features/content/page-metadata.ts'
import { blogFeeds, BlogPage } from '@/features/content/posts/blog-page.tsx'
import { postPage } from '@/features/content/posts/read-posts.ts'
import type { Locale } from '@/i18n/locales.ts'

export const revalidate = 3600
// Tags are a fixed list: no other address is rendered or kept.
export const dynamicParams = false

type Props = { params: Promise<{ locale: Locale; tag: string }> }

export const generateStaticParams = () => POST_TAGS.map((tag) => ({ tag }))

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => {
  const { locale, tag } = await params
  const known = postTagOf(tag)
  if (known === undefined) return { title: '404', robots: { index: false } }
  const t = await getTranslations({ locale, namespace: 'blog' })
  const title = `${t(`tags.${known}`)} · ${t('title')}`
  return pageMetadata({ locale, path: tagPath(known), title, description: t('lead'), feeds: blogFeeds })
}

const Page = async ({ params }: Props) => {
  const { locale, tag } = await params
  setRequestLocale(locale)
  const known = postTagOf(tag)
  if (known === undefined) notFound()
  const found = await postPage(locale, { kind: 'blog', tag: known, page: 1, limit: 100 })
  return <BlogPage locale={locale} path={tagPath(known)} found={found} page={1} tag={known} />
}

export default Page
