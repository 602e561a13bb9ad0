import type { Metadata } from 'next'
import { locales } from '@/i18n/locales.ts'
import type { Locale } from '@/i18n/locales.ts'
import { localePath } from '@/i18n/negotiate.ts'
import { siteUrl } from '@/lib/site/site-url.ts'

type Page = {
  locale: Locale
  /** The address without its language prefix. */
  path: string
  title: string
  description: string
  /** The title is complete; otherwise the host's name is appended. */
  bare?: boolean
  hidden?: boolean
  /** The paths of the languages in which the page exists, without prefixes; all languages have `path` without it. */
  languages?: Readonly<Partial<Record<Locale, string>>>
  /** Times of a page that is an article. */
  article?: { readonly publishedTime: string; readonly modifiedTime: string }
  /** Feeds of the page: type of the content -> path, without a prefix. */
  feeds?: Readonly<Record<string, string>>
}

/** All languages of a page, for `hreflang`; an unknown language gets the negotiating page. */
export const alternateLanguages = (path: string): Record<string, string> =>
  Object.fromEntries([
    ...locales.map((locale) => [locale, `${siteUrl()}${localePath(locale, path)}`]),
    ['x-default', `${siteUrl()}${path}`],
  ])

/** The languages in which a page exists, for `hreflang`. There is no page that negotiates: each has a name of its own. */
export const writtenLanguages = (languages: NonNullable<Page['languages']>): Record<string, string> =>
  Object.fromEntries(
    locales.flatMap((locale) => {
      const path = languages[locale]
      return path === undefined ? [] : [[locale, `${siteUrl()}${localePath(locale, path)}`]]
    }),
  )

const addressOf = (locale: Locale, path: string) => `${siteUrl()}${localePath(locale, path)}`

/** Title, canonical address (always the prefixed one, the only publicly cacheable one) and the other languages. */
export const pageMetadata = (page: Page): Metadata => {
  const { locale, path, title, description, bare = false, hidden = false, languages, article, feeds } = page
  const types = Object.entries(feeds ?? {}).map(([type, feed]) => [type, addressOf(locale, feed)])
  return {
    metadataBase: new URL(siteUrl()),
    title: bare ? { absolute: title } : title,
    description,
    alternates: {
      canonical: addressOf(locale, path),
      languages: languages === undefined ? alternateLanguages(path) : writtenLanguages(languages),
      ...(types.length > 0 ? { types: Object.fromEntries(types) as Record<string, string> } : {}),
    },
    openGraph: {
      ...(article === undefined ? { type: 'website' as const } : { type: 'article' as const, ...article }),
      url: addressOf(locale, path),
      title,
      description,
      locale,
      alternateLocale: locales.filter(
        (one) => one !== locale && (languages === undefined || languages[one] !== undefined),
      ),
    },
    ...(hidden ? { robots: { index: false } } : {}),
  }
}
