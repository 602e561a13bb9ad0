import { blogFeed } from '@/features/content/posts/blog-feed.ts'
import { rssOf } from '@/features/content/posts/feeds.ts'

export const dynamic = 'force-static'
export const revalidate = 3600

/** The blog of a language as RSS. */
export const GET = async (
  _request: Request,
  { params }: { params: Promise<{ locale: string }> },
): Promise<Response> => {
  const feed = await blogFeed(params, 'feed.xml')
  if (feed === null) return new Response(null, { status: 404 })
  return new Response(rssOf(feed), { headers: { 'Content-Type': 'application/rss+xml; charset=utf-8' } })
}
