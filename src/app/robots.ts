import type { MetadataRoute } from 'next'
import { siteUrl } from '@/lib/site/site-url.ts'

// The host's own address is known at run time, not at build time.
export const dynamic = 'force-dynamic'

const closed = ['/admin', '/api/', '/dashboard', '/panel', '/auth/logout']

const robots = (): MetadataRoute.Robots => ({
  rules: { userAgent: '*', allow: '/', disallow: [...closed, '/*/dashboard', '/*/panel', '/*/auth/logout'] },
  sitemap: `${siteUrl()}/sitemap.xml`,
})

export default robots
