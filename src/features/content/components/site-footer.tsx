import { getTranslations } from 'next-intl/server'
import type { Locale } from '@/i18n/locales.ts'
import { siteLinks } from '../site-links.ts'
import type { SiteView } from '../site-view.ts'
import { Brand } from './brand.tsx'
import { LanguageLinks, type LanguagePaths } from './language-links.tsx'

type Link = { href: string; title: string; external?: string }

const Column = ({ title, links }: { title: string; links: readonly Link[] }) => (
  <nav className="foot__col" aria-label={title}>
    <h2 className="foot__h">{title}</h2>
    <ul>
      {links.map((link) => (
        <li key={link.href}>
          <a href={link.href} {...(link.external ? { target: '_blank', rel: 'noopener' } : {})}>
            {link.title}
            {link.external ? <span className="vh"> {link.external}</span> : null}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

const Registry = async ({ site }: { site: SiteView }) => {
  const words = await getTranslations('site')
  if (site.registry.length === 0) return <div className="foot__reg" />
  return (
    <div className="foot__reg">
      <h2 className="foot__h">{words('registry')}</h2>
      <dl>
        {site.registry.map(({ key, value }) => (
          <div key={key}>
            <dt>{words(key)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

type FooterProps = { locale: Locale; path: string; languages?: LanguagePaths | undefined; site: SiteView }

/** Company data, pages, account and documents: the same on every public page. */
export const SiteFooter = async ({ locale, path, languages, site }: FooterProps) => {
  const [common, words] = await Promise.all([getTranslations('common'), getTranslations('site')])
  const newTab = common('newTab')
  const account: Link[] = [
    { href: '/auth/login', title: words('login') },
    { href: '/auth/register', title: words('register') },
    ...(site.statusUrl ? [{ href: site.statusUrl, title: words('status'), external: newTab }] : []),
  ]
  const documents: Link[] = [
    { href: '/documents/privacy', title: site.documents.privacy ?? words('privacy') },
    { href: '/documents/terms', title: site.documents.terms ?? words('terms') },
    ...site.footerLinks.map(({ title, link }) => ({
      href: link,
      title,
      ...(link.startsWith('http') ? { external: newTab } : {}),
    })),
  ]
  const company = site.registry.find(({ key }) => key === 'companyName')?.value
  return (
    <footer className="foot" id="footer" aria-label={words('footer')}>
      <div className="frame foot__in">
        <Registry site={site} />
        <Column
          title={words('pages')}
          links={siteLinks(path, site.hasPartners).map(({ key, href }) => ({ href, title: words(key) }))}
        />
        <Column title={words('account')} links={account} />
        <Column title={words('documents')} links={documents} />
      </div>
      <div className="frame foot__end">
        <Brand name={`${site.hostName}. ${words('trademark')}`} />
        {company ? <span className="t3">© {company}</span> : null}
        <LanguageLinks
          className="foot__langs"
          locale={locale}
          path={path}
          languages={languages}
          label={common('language')}
        />
      </div>
    </footer>
  )
}
