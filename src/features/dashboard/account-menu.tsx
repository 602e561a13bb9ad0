'use client'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, KeyRound, LogOut, Settings, Shield, Star } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import type { Locale } from '@/i18n/locales.ts'
import { logOut } from '@/lib/browser-client/browser-client.ts'
import { choosePersonLanguage } from '@/lib/queries/person-language.ts'
import { meQuery } from '@/lib/queries/queries.ts'
import { initialsOf } from '@/lib/format/initials.ts'
import { switchLanguage } from '@/i18n/switch-language.ts'
import { Avatar } from '@/ui/signs/avatar.tsx'
import { LanguageSegment } from '@/ui/controls/language-segment.tsx'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { useDisclosure } from './disclosure.ts'
import type { Disclosure } from './disclosure.ts'
import { isAdministrator } from './is-administrator.ts'
import { MenuScrim } from './menu-scrim.tsx'

/** The three languages. The choice is stored with the account; if that fails, at least this browser shows it. */
export const LanguageSwitch = () => {
  const t = useTranslations('common')
  const choose = (next: Locale) => void choosePersonLanguage(next).catch(() => switchLanguage(next))
  return (
    <div className="acct-lang">
      <span>{t('language')}</span>
      <LanguageSegment label={t('language')} present={useLocale()} className="seg end" onChoose={choose} />
    </div>
  )
}

export const AccountMenu = ({ open, setOpen }: Disclosure) => {
  const t = useTranslations('dashboard')
  const tc = useTranslations('common')
  const me = useQuery(meQuery()).data
  const { region, button } = useDisclosure({ open, setOpen })
  const name = me?.username ?? ''
  const avatar = <Avatar pictureId={me?.profilePictureId ?? null} initials={initialsOf(name)} />
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
        {avatar}
        <ChevronDown className="i i-s" aria-hidden />
      </button>
      {open ? <MenuScrim onClose={() => setOpen(false)} /> : null}
      <div id="account-menu" className="menu acct" hidden={!open}>
        <div className="acct-who">
          {avatar}
          <span className="grow">
            <b className="b cut block">{name}</b>
            <span className="small t2 cut block">{me?.email}</span>
          </span>
        </div>
        <div className="sep" />
        <LanguageSwitch />
        <div className="sep" />
        <PageLink href="/dashboard/settings" onClick={() => setOpen(false)}>
          <Settings className="i" aria-hidden />
          {t('settings')}
        </PageLink>
        <PageLink href="/dashboard/settings/security" onClick={() => setOpen(false)}>
          <KeyRound className="i" aria-hidden />
          {t('security')}
        </PageLink>
        <PageLink className="acct-premium" href="/dashboard/premium" onClick={() => setOpen(false)}>
          <Star className="i" aria-hidden />
          {t('premium.title')}
        </PageLink>
        {isAdministrator(me) ? (
          <a href="/admin/overview">
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
