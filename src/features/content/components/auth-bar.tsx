import { getTranslations } from 'next-intl/server'
import type { Locale } from '@/i18n/locales.ts'
import { Icon } from '@/ui/signs/icon.tsx'
import { siteContent } from '../queries.ts'
import { Brand } from './brand.tsx'
import { LanguageLinks } from './language-links.tsx'

/** The bar of the sign-in pages: the back arrow, the logo and the languages. */
export const AuthBar = async ({ locale, path }: { locale: Locale; path: string }) => {
  const [common, words, site] = await Promise.all([
    getTranslations('common'),
    getTranslations('auth'),
    siteContent(locale),
  ])
  return (
    <header className="abar">
      <div className="frame">
        <div className="abar__in">
          <a className="icon-btn" href="/" aria-label={words('backHome')}>
            <Icon name="back" size={24} />
          </a>
          <Brand name={site.hostName} label={common('brandHome', { name: site.hostName })} />
          <LanguageLinks className="abar__langs" locale={locale} path={path} label={common('language')} short />
        </div>
      </div>
    </header>
  )
}
