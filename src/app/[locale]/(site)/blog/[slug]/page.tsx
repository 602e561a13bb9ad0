import type { Metadata } from 'next'
import { setRequestLocale } from 'next-intl/server'
import { permanentRedirect } from 'next/navigation'
import { cache } from 'react'
import { postPath } from '#contracts/posts/posts.ts'
import { NotFoundView } from '@/features/content/components/not-found-view.tsx'
import { postMetadata, PostPage } from '@/features/content/posts/post-page.tsx'
import { postAddress, publishedPost } from '@/features/content/posts/read-posts.ts'
import type { Locale } from '@/i18n/locales.ts'
import { localePath } from '@/i18n/negotiate.ts'

// Rendered on demand: anyone can invent any number of addresses. The post itself is cached until content changes.
export const dynamic = 'force-dynamic'

type Props = { params: Promise<{ locale: Locale; slug: string }> }

/** The head and the page of one request ask once. */
const addressOf = cache(postAddress)

const postOf = async ({ params }: Props) => {
  const { locale, slug } = await params
  const address = await addressOf(locale, slug)
  return { locale, asked: slug, address, post: address === null ? null : await publishedPost(locale, address) }
}

export const generateMetadata = async (props: Props): Promise<Metadata> => {
  const { locale, post } = await postOf(props)
  return post === null ? { title: '404', robots: { index: false } } : postMetadata(locale, post)
}

const Page = async (props: Props) => {
  const { locale, asked, address, post } = await postOf(props)
  setRequestLocale(locale)
  if (address === null || post === null) return <NotFoundView locale={locale} />
  if (address.slug !== asked) permanentRedirect(localePath(locale, postPath(address.slug)))
  return <PostPage locale={locale} post={post} />
}

export default Page
