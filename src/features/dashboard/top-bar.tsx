'use client'
import { useQuery } from '@tanstack/react-query'
import { Shield } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useCallback } from 'react'
import type { ReactNode } from 'react'
import { useLinkState } from '@/features/realtime/realtime-provider.tsx'
import { meQuery } from '@/lib/queries/queries.ts'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { buttonClass } from '@/ui/controls/button.tsx'
import { Lamp } from '@/ui/signs/lamp.tsx'
import { Lantern } from '@/ui/signs/lantern.tsx'
import { AccountMenu } from './account-menu.tsx'
import { useOneOpen } from './disclosure.ts'
import { dayPartOf } from './day-part.ts'
import { isAdministrator } from './is-administrator.ts'
import { NotificationBell } from './notification-bell.tsx'
import { SearchOpener } from './search-opener.tsx'

/** The lantern is the realtime link: lit when connected; the words appear only while it connects. */
const LinkWords = () => {
  const t = useTranslations('realtime')
  const state = useLinkState()
  return (
    <span className="conn small" role="status">
      {state === 'connecting' ? <Lamp kind="busy">{t('connecting')}</Lamp> : null}
      {state === 'closed' ? <Lamp kind="off">{t('closed')}</Lamp> : null}
    </span>
  )
}

const Greeting = () => {
  const t = useTranslations('dashboard')
  const me = useQuery(meQuery()).data
  if (!me) return <span className="hello" />
  return <span className="hello">{t(`greeting.${dayPartOf(new Date().getHours())}`, { name: me.username })}</span>
}

/** On a phone administrators reach their pages from the bar itself; elsewhere from the account menu. */
const StaffKey = () => {
  const t = useTranslations('dashboard')
  const me = useQuery(meQuery()).data
  if (!isAdministrator(me)) return null
  return (
    <a className="icon-btn staff-key" href="/admin/overview" aria-label={t('admin')}>
      <Shield className="i i-l" aria-hidden />
    </a>
  )
}

const PremiumLink = () => {
  const t = useTranslations('dashboard.premium')
  return (
    <PageLink className={buttonClass({ size: 's' }, 'premium')} href="/dashboard/premium">
      <span className="stripes" aria-hidden="true">
        <i />
        <i className="on" />
        <i className="on" />
      </span>
      {t('title')}
    </PageLink>
  )
}

/** `here` replaces the logo on the phone while a server's panel is open. */
export const TopBar = ({ here, panelId }: { here?: ReactNode; panelId?: string | undefined }) => {
  const t = useTranslations('dashboard')
  const lit = useLinkState() === 'connected'
  const { shown, setOpen } = useOneOpen<'bell' | 'account'>()
  const setBell = useCallback((open: boolean) => setOpen('bell', open), [setOpen])
  const setAccount = useCallback((open: boolean) => setOpen('account', open), [setOpen])
  return (
    <header className="top">
      <PageLink className="brand" href="/dashboard/summary" aria-label={t('home')}>
        <Lantern lit={lit} />
        <span>Bakter</span>
      </PageLink>
      <div className="top-main">
        {here}
        <Greeting />
        <LinkWords />
        <SearchOpener panelId={panelId} />
        <StaffKey />
        <PremiumLink />
        <NotificationBell open={shown === 'bell'} setOpen={setBell} />
        <AccountMenu open={shown === 'account'} setOpen={setAccount} />
      </div>
    </header>
  )
}
