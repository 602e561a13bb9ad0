import { feedHandler } from '@/features/content/posts/blog-feed.ts'

export const dynamic = 'force-static'
export const revalidate = 3600

/** The blog of a language as JSON Feed. */
export const GET = feedHandler('feed.json')
