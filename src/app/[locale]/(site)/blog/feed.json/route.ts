import { blogFeed } from '@/features/content/posts/blog-feed.ts'
import { jsonFeedOf } from '@/features/content/posts/feeds.ts'

export const dynamic = 'force-static'
export const revalidate = 3600

/** The blog of a language as JSON Feed. */
export const GET = async (
  _request: Request,
  { params }: { params: Promise<{ locale: string }> },
): Promise<Response> => {
  const feed = await blogFeed(params, 'feed.json')
  if (feed === null) return new Response(null, { status: 404 })
  return new Response(JSON.stringify(jsonFeedOf(feed)), {
    headers: { 'Content-Type': 'application/feed+json; charset=utf-8' },
  })
}
