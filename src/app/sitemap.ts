import type { MetadataRoute } from 'next'
import { postPath } from '#contracts/posts/posts.ts'
import { alternateLanguages, writtenLanguages } from '@/features/content/page-metadata.ts'
import { postAddresses } from '@/features/content/posts/read-posts.ts'
import { locales } from '@/i18n/locales.ts'
import { localePath } from '@/i18n/negotiate.ts'
import { siteUrl } from '@/lib/site/site-url.ts'

export const dynamic = 'force-dynamic'

const paths = [
  '/',
  '/blog',
  '/changes',
  '/documents/privacy',
  '/documents/terms',
  '/auth/login',
  '/auth/register',
] as const

const fixed = (): MetadataRoute.Sitemap =>
  paths.flatMap((path) =>
    locales.map((locale) => ({
      url: `${siteUrl()}${localePath(locale, path)}`,
      alternates: { languages: alternateLanguages(path) },
    })),
  )

const posts = async (): Promise<MetadataRoute.Sitemap> =>
  (await postAddresses()).flatMap(({ slugs, updatedAt }) => {
    const written = Object.entries(slugs).map(([locale, slug]) => [locale, postPath(slug)])
    const languages = writtenLanguages(Object.fromEntries(written) as Record<string, string>)
    return Object.values(languages).map((url) => ({ url, lastModified: updatedAt, alternates: { languages } }))
  })

/** Only prefixed addresses are listed: the unprefixed ones follow the visitor's language. Posts are in the languages that are written. */
const sitemap = async (): Promise<MetadataRoute.Sitemap> => [...fixed(), ...(await posts())]

export default sitemap
