'use client'
import { useQuery } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { lazy, Suspense } from 'react'
import { notificationsQuery } from '@/lib/queries/queries.ts'
import { unreadOf } from '@/lib/queries/notice-store.ts'
import { SkeletonRows } from '@/ui/surfaces/states.tsx'
import { useDisclosure } from './disclosure.ts'
import type { Disclosure } from './disclosure.ts'
import { MenuScrim } from './menu-scrim.tsx'

const mostShown = 99

const NotificationList = lazy(async () => ({
  default: (await import('./notification-list.tsx')).NotificationList,
}))

/** The bell with its count; the list is loaded when it is first opened. */
export const NotificationBell = ({ open, setOpen }: Disclosure) => {
  const t = useTranslations('dashboard.bell')
  const tc = useTranslations('common')
  const count = unreadOf(useQuery(notificationsQuery()).data ?? []).length
  const { region, button } = useDisclosure({ open, setOpen })
  return (
    <div className="bell" ref={region}>
      <button
        ref={button}
        type="button"
        className="icon-btn"
        aria-expanded={open}
        aria-controls="bell-list"
        aria-label={count > 0 ? t('labelUnread', { count }) : t('label')}
        onClick={() => setOpen(!open)}
      >
        <Bell className="i i-l" aria-hidden />
        {count > 0 ? (
          <span className="badge" aria-hidden>
            {count > mostShown ? `${mostShown}+` : count}
          </span>
        ) : null}
      </button>
      <span className="vh" role="status">
        {count > 0 ? t('labelUnread', { count }) : ''}
      </span>
      {open ? <MenuScrim onClose={() => setOpen(false)} /> : null}
      <section id="bell-list" className="menu nt" aria-label={t('label')} hidden={!open}>
        {open ? (
          <Suspense fallback={<SkeletonRows label={tc('loading')} rows={4} />}>
            <NotificationList onLeave={() => setOpen(false)} />
          </Suspense>
        ) : null}
      </section>
    </div>
  )
}
