'use client'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, LogOut, Shield } from 'lucide-react'
import { usePathname } from 'next/navigation'
import { useLocale, useTranslations } from 'next-intl'
import { localeCookie, localeNames, locales } from '@/i18n/locales.ts'
import type { Locale } from '@/i18n/locales.ts'
import { switchedPath } from '@/i18n/negotiate.ts'
import { logOut } from '@/lib/api-client/browser-client.ts'
import { meQuery } from '@/lib/api-client/queries.ts'
import { Tag } from '@/ui/plate.tsx'
import { useDisclosure } from './disclosure.ts'
import type { Disclosure } from './disclosure.ts'
import { initialsOf } from './initials.ts'

const rememberLocale = (locale: Locale) => {
  document.cookie = `${localeCookie.name}=${locale}; path=/; max-age=${localeCookie.maxAgeSeconds}; samesite=lax`
}

/** The three languages; a choice is kept in the cookie and the same page comes again in it. */
export const LanguageSwitch = () => {
  const t = useTranslations('common')
  const locale = useLocale()
  const pathname = usePathname()
  const choose = (next: Locale) => {
    rememberLocale(next)
    window.location.assign(switchedPath(pathname, next) + window.location.search)
  }
  return (
    <div className="acct-lang">
      <span>{t('language')}</span>
      <span className="seg end" role="group" aria-label={t('language')}>
        {locales.map((candidate) => (
          <button
            key={candidate}
            type="button"
            lang={candidate}
            aria-label={localeNames[candidate]}
            aria-pressed={candidate === locale}
            onClick={() => choose(candidate)}
          >
            {candidate.toUpperCase()}
          </button>
        ))}
      </span>
    </div>
  )
}

export const AccountMenu = ({ open, setOpen }: Disclosure) => {
  const t = useTranslations('dashboard')
  const tc = useTranslations('common')
  const me = useQuery(meQuery()).data
  const { region, button } = useDisclosure({ open, setOpen })
  const name = me?.username ?? ''
  const isAdmin = me?.role.some((role) => role.isAdmin === 1) ?? false
  return (
    <div className="acct-host" ref={region}>
      <button
        ref={button}
        type="button"
        className="me"
        aria-expanded={open}
        aria-controls="account-menu"
        aria-label={name ? t('accountOf', { initials: initialsOf(name), name }) : t('account')}
        onClick={() => setOpen(!open)}
      >
        <Tag>{initialsOf(name) || '·'}</Tag>
        <ChevronDown className="i i-s" aria-hidden />
      </button>
      <div id="account-menu" className="menu acct" hidden={!open}>
        <div className="acct-who">
          <Tag>{initialsOf(name) || '·'}</Tag>
          <span className="grow">
            <b className="b cut block">{name}</b>
            <span className="small t2 cut block">{me?.email}</span>
          </span>
        </div>
        <div className="sep" />
        <LanguageSwitch />
        <div className="sep" />
        {isAdmin ? (
          <a href="/admin">
            <Shield className="i" aria-hidden />
            {t('admin')}
          </a>
        ) : null}
        <button type="button" onClick={() => void logOut()}>
          <LogOut className="i" aria-hidden />
          {tc('logout')}
        </button>
      </div>
    </div>
  )
}
