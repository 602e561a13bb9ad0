import { drawingPath } from '#contracts/pictures.ts'
import { postPath } from '#contracts/posts/posts.ts'
import type { Locale } from '@/i18n/locales.ts'
import { localePath } from '@/i18n/negotiate.ts'
import { siteUrl } from '@/lib/site/site-url.ts'
import { StructuredData } from '../components/structured-data.tsx'
import { siteContent } from '../queries.ts'
import type { Post } from './post-view.ts'

/** A post for search engines. */
export const PostData = async ({ locale, post }: { locale: Locale; post: Post }) => {
  const { hostName } = await siteContent(locale)
  const url = `${siteUrl()}${localePath(locale, postPath(post.slug))}`
  const image = post.picture?.path ?? (post.drawing === null ? null : drawingPath('posts', post.drawing))
  const data = {
    '@context': 'https://schema.org',
    '@type': 'BlogPosting',
    headline: post.title,
    description: post.metaDescription || post.lead,
    datePublished: post.publishedAt,
    dateModified: post.updatedAt,
    inLanguage: locale,
    url,
    mainEntityOfPage: url,
    author: { '@type': post.author === hostName ? 'Organization' : 'Person', name: post.author },
    ...(image === null ? {} : { image: `${siteUrl()}${image}` }),
  }
  return <StructuredData data={data} />
}
