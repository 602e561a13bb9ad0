import { getTranslations } from 'next-intl/server'
import { POST_BOUNDS, postPath } from '#contracts/posts/posts.ts'
import { isLocale, type Locale } from '@/i18n/locales.ts'
import { localePath } from '@/i18n/negotiate.ts'
import { siteUrl } from '@/lib/site/site-url.ts'
import { jsonFeedOf, rssOf, type Feed } from './feeds.ts'
import { postPage } from './read-posts.ts'

const feeds = {
  'feed.xml': { type: 'application/rss+xml', textOf: rssOf },
  'feed.json': { type: 'application/feed+json', textOf: (feed: Feed) => JSON.stringify(jsonFeedOf(feed)) },
} as const
type FeedFile = keyof typeof feeds

/** The newest posts of the blog in a language, for the feed with this file name. */
const blogFeed = async (locale: Locale, file: FeedFile): Promise<Feed> => {
  const [t, { posts }] = await Promise.all([
    getTranslations({ locale, namespace: 'blog' }),
    postPage(locale, { kind: 'blog', page: 1, limit: POST_BOUNDS.feed }),
  ])
  const at = (path: string) => `${siteUrl()}${localePath(locale, path)}`
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

/** Answers with the feed of this file name in the language of its address; 404 for a language that does not exist. */
export const feedHandler =
  (file: FeedFile) =>
  async (_request: Request, { params }: { params: Promise<{ locale: string }> }): Promise<Response> => {
    const { locale } = await params
    if (!isLocale(locale)) return new Response(null, { status: 404 })
    const { type, textOf } = feeds[file]
    return new Response(textOf(await blogFeed(locale, file)), { headers: { 'Content-Type': `${type}; charset=utf-8` } })
  }
