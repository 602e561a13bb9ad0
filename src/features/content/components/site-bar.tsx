import { getTranslations } from 'next-intl/server'
import { localeNames, locales } from '@/i18n/locales.ts'
import type { Locale } from '@/i18n/locales.ts'
import { ButtonLink } from '@/ui/controls/button.tsx'
import { Icon } from '@/ui/signs/icon.tsx'
import { dashboardHref, siteLinks } from '../site-links.ts'
import type { SiteView } from '../site-view.ts'
import { Brand } from './brand.tsx'
import { languageAddress, LanguageLinks, type LanguagePaths } from './language-links.tsx'

// Invoker commands open and close the dialog without a script; React's types do not include them yet.
const invoker = (command: 'show-modal' | 'close') => ({ command, commandfor: 'menu' })

type Props = { locale: Locale; path: string; languages?: LanguagePaths | undefined; site: SiteView }

type MenuProps = Omit<Props, 'site'> & { label: string }

const LanguageMenu = ({ locale, path, languages, label }: MenuProps) => (
  <details className="lang">
    <summary>
      <span className="vh">{label}: </span>
      {locale.toUpperCase()}
      <Icon name="down" size={16} />
    </summary>
    <ul>
      {locales.map((one) => (
        <li key={one}>
          <a
            {...languageAddress({ path, languages }, one)}
            lang={one}
            hrefLang={one}
            data-locale={one}
            {...(one === locale ? { 'aria-current': 'true' as const } : {})}
          >
            <i className={one === locale ? 'halt halt-on' : 'halt'} />
            {localeNames[one]}
          </a>
        </li>
      ))}
    </ul>
  </details>
)

const Overlay = async ({ locale, path, languages, site }: Props) => {
  const [common, words] = await Promise.all([getTranslations('common'), getTranslations('site')])
  return (
    <dialog className="omenu" id="menu" aria-label={common('mainMenu')}>
      <div className="omenu__top">
        <Brand name={site.hostName} label={common('brandHome', { name: site.hostName })} />
        <button className="icon-btn" type="button" {...invoker('close')} aria-label={common('closeMenu')}>
          <Icon name="close" size={24} />
        </button>
      </div>
      <ul className="omenu__list">
        {siteLinks(path, site.hasPartners).map((link) => (
          <li key={link.key}>
            <a href={link.href} {...(link.current ? { 'aria-current': 'page' as const } : {})}>
              <i className={link.current ? 'halt halt-on' : 'halt'} />
              {words(link.key)}
            </a>
          </li>
        ))}
      </ul>
      <div className="omenu__end">
        <ButtonLink look="primary" size="l" wide href={dashboardHref}>
          {words('dashboard')}
        </ButtonLink>
        <div className="omenu__doors">
          <ButtonLink size="l" wide href="/auth/login">
            {words('login')}
          </ButtonLink>
          {site.registrationOpen ? (
            <ButtonLink size="l" wide href="/auth/register">
              {words('register')}
            </ButtonLink>
          ) : null}
        </div>
        <LanguageLinks locale={locale} path={path} languages={languages} label={common('language')} />
      </div>
    </dialog>
  )
}

/** The bar of the public pages with its menu; on a phone the menu is a modal overlay. */
export const SiteBar = async ({ locale, path, languages, site }: Props) => {
  const [common, words] = await Promise.all([getTranslations('common'), getTranslations('site')])
  return (
    <>
      <header className="bar">
        <div className="frame bar__in">
          <Brand name={site.hostName} label={common('brandHome', { name: site.hostName })} />
          <nav className="linenav" aria-label={common('mainMenu')}>
            <ul>
              {siteLinks(path, site.hasPartners).map((link) => (
                <li key={link.key}>
                  <a href={link.href} {...(link.current ? { 'aria-current': 'page' as const } : {})}>
                    {words(link.key)}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <div className="bar__end">
            <LanguageMenu locale={locale} path={path} languages={languages} label={common('language')} />
            <ButtonLink look="quiet" className="bar__door" href="/auth/login">
              {words('login')}
            </ButtonLink>
            {site.registrationOpen ? (
              <ButtonLink className="bar__door" href="/auth/register">
                {words('register')}
              </ButtonLink>
            ) : null}
            <ButtonLink look="primary" href={dashboardHref}>
              {words('dashboard')}
            </ButtonLink>
          </div>
          <button
            className="icon-btn burger"
            type="button"
            {...invoker('show-modal')}
            aria-label={common('openMenu')}
            aria-haspopup="dialog"
          >
            <Icon name="menu" size={24} />
          </button>
        </div>
      </header>
      <Overlay locale={locale} path={path} languages={languages} site={site} />
    </>
  )
}
