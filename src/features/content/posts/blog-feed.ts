import { getTranslations } from 'next-intl/server'
import { POST_BOUNDS, postPath } from '#contracts/posts/posts.ts'
import { isLocale, type Locale } from '@/i18n/locales.ts'
import { localePath } from '@/i18n/negotiate.ts'
import { siteUrl } from '@/lib/site/site-url.ts'
import type { Feed } from './feeds.ts'
import { postPage } from './read-posts.ts'

/** The newest posts of the blog in a language, for the feed with this file name; null for a language that does not exist. */
export const blogFeed = async (
  params: Promise<{ locale: string }>,
  file: 'feed.xml' | 'feed.json',
): Promise<Feed | null> => {
  const { locale } = await params
  if (!isLocale(locale)) return null
  const [t, { posts }] = await Promise.all([
    getTranslations({ locale, namespace: 'blog' }),
    postPage(locale, { kind: 'blog', page: 1, limit: POST_BOUNDS.feed }),
  ])
  const at = (path: string, language: Locale = locale) => `${siteUrl()}${localePath(language, path)}`
  return {
    title: `${t('title')} · Bakter`,
    description: t('lead'),
    language: locale,
    home: at('/blog'),
    self: at(`/blog/${file}`),
    addressOf: ({ slug }) => at(postPath(slug)),
    posts,
  }
}
