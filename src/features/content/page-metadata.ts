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
}

/** All languages of a page, for `hreflang`; an unknown language gets the negotiating page. */
export const alternateLanguages = (path: string): Record<string, string> =>
  Object.fromEntries([
    ...locales.map((locale) => [locale, `${siteUrl()}${localePath(locale, path)}`]),
    ['x-default', `${siteUrl()}${path}`],
  ])

/** Title, canonical address (always the prefixed one, the only publicly cacheable one) and the other languages. */
export const pageMetadata = ({ locale, path, title, description, bare = false, hidden = false }: Page): Metadata => ({
  metadataBase: new URL(siteUrl()),
  title: bare ? { absolute: title } : title,
  description,
  alternates: { canonical: `${siteUrl()}${localePath(locale, path)}`, languages: alternateLanguages(path) },
  openGraph: {
    type: 'website',
    url: `${siteUrl()}${localePath(locale, path)}`,
    title,
    description,
    locale,
    alternateLocale: locales.filter((one) => one !== locale),
  },
  ...(hidden ? { robots: { index: false } } : {}),
})
