import clsx from 'clsx'
import { localePath } from '@/i18n/negotiate.ts'
import { localeNames, locales } from '@/i18n/locales.ts'
import type { Locale } from '@/i18n/locales.ts'

type Props = { locale: Locale; path: string; label: string; className?: string; short?: boolean }

/** The same page in the other languages; without JavaScript these link to the prefixed address. */
export const LanguageLinks = ({ locale, path, label, className, short = false }: Props) => (
  <div className={clsx('langs', className)} role="group" aria-label={label}>
    {locales.map((one) => (
      <a
        key={one}
        href={localePath(one, path)}
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
