import type { MetadataRoute } from 'next'
import { alternateLanguages } from '@/features/content/page-metadata.ts'
import { locales } from '@/i18n/locales.ts'
import { localePath } from '@/i18n/negotiate.ts'
import { siteUrl } from '@/lib/site/site-url.ts'

export const dynamic = 'force-dynamic'

const paths = ['/', '/blog', '/documents/privacy', '/documents/terms', '/auth/login', '/auth/register'] as const

/** Only prefixed addresses are listed: the unprefixed ones follow the visitor's language. */
const sitemap = (): MetadataRoute.Sitemap =>
  paths.flatMap((path) =>
    locales.map((locale) => ({
      url: `${siteUrl()}${localePath(locale, path)}`,
      alternates: { languages: alternateLanguages(path) },
    })),
  )

export default sitemap
