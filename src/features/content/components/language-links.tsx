import clsx from 'clsx'
import { localePath } from '@/i18n/negotiate.ts'
import { localeNames, locales } from '@/i18n/locales.ts'
import type { Locale } from '@/i18n/locales.ts'

/** The address of a page in each language, with its prefix. */
export type LanguagePaths = Readonly<Record<Locale, string>>

type Address = { path: string; languages?: LanguagePaths | undefined }
type Props = Address & { locale: Locale; label: string; className?: string; short?: boolean }

/** The address of the page in a language; a mark tells the script of the page to go there and not to change the prefix. */
export const languageAddress = ({ path, languages }: Address, locale: Locale) =>
  languages === undefined ? { href: localePath(locale, path) } : { href: languages[locale], 'data-own': '' }

/** The same page in the other languages; without JavaScript these link to the prefixed address. */
export const LanguageLinks = ({ locale, path, languages, label, className, short = false }: Props) => (
  <div className={clsx('langs', className)} role="group" aria-label={label}>
    {locales.map((one) => (
      <a
        key={one}
        {...languageAddress({ path, languages }, one)}
        lang={one}
        hrefLang={one}
        data-locale={one}
        {...(one === locale ? { 'aria-current': 'true' as const } : {})}
      >
        {short ? (
          <>
            {one.toUpperCase()}
            <span className="vh">, {localeNames[one]}</span>
          </>
        ) : (
          localeNames[one]
        )}
      </a>
    ))}
  </div>
)
