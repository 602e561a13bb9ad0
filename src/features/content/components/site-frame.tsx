import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import type { Locale } from '@/i18n/locales.ts'
import { siteContent } from '../queries.ts'
import type { LanguagePaths } from './language-links.tsx'
import { SiteBar } from './site-bar.tsx'
import { SiteFooter } from './site-footer.tsx'

type Props = {
  locale: Locale
  /** The page's address without a language prefix, from which the menu and, without `languages`, the language switch are built. */
  path: string
  /** The page in the other languages, where its address is not the same one under another prefix. */
  languages?: LanguagePaths | undefined
  children: ReactNode
  className?: string
}

/** Bar, content and footer of a public page. */
export const SiteFrame = async ({ locale, path, languages, children, className }: Props) => {
  const [common, site] = await Promise.all([getTranslations('common'), siteContent(locale)])
  return (
    <div className="site">
      <a className="skip" href="#main">
        {common('skipToContent')}
      </a>
      <SiteBar locale={locale} path={path} languages={languages} site={site} />
      <main id="main" {...(className ? { className } : {})}>
        {children}
      </main>
      <SiteFooter locale={locale} path={path} languages={languages} site={site} />
    </div>
  )
}
