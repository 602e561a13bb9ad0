'use client'
import clsx from 'clsx'
import { useTranslations } from 'next-intl'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { usePagePath } from '@/lib/navigation/page-path.ts'
import { Icon } from '@/ui/signs/icon.tsx'
import { FLOOR } from '@/ui/surfaces/menu-floor.ts'
import { BalanceFoot } from './balance-foot.tsx'
import { stopBesideBalance } from './entries.ts'

const stops = [
  { id: 'summary', href: '/dashboard/summary', root: '/dashboard/summary' },
  { id: 'servers', href: '/dashboard/servers', root: '/dashboard/servers' },
  { id: 'rent', href: '/dashboard/services/game', root: '/dashboard/services' },
  { id: 'balance', href: '/dashboard/balance/summary', root: '/dashboard/balance' },
] as const

const isHere = ({ id, root }: (typeof stops)[number], path: string): boolean =>
  path === root || path.startsWith(`${root}/`) || (id === 'balance' && stopBesideBalance(path) !== undefined)

type BarProps = { line: ReactNode; note?: ReactNode; promos?: ReactNode }

/** The phone's menu: the whole line as a sheet; choosing a stop closes it. */
const MenuSheet = ({ line, note, promos, label }: BarProps & { label: string }) => {
  const t = useTranslations('common')
  const dialog = useRef<HTMLDialogElement>(null)
  const path = usePagePath()
  useEffect(() => dialog.current?.close(), [path])
  return (
    <>
      <button type="button" className="bottom-stop" aria-haspopup="dialog" onClick={() => dialog.current?.showModal()}>
        <i className="stop" />
        {label}
      </button>
      <dialog ref={dialog} className="sheetnav" aria-label={label}>
        <div className="sheetnav-h">
          <b className="grow">{label}</b>
          <button
            type="button"
            className="icon-btn"
            aria-label={t('closeMenu')}
            onClick={() => dialog.current?.close()}
          >
            <Icon name="close" size={20} />
          </button>
        </div>
        <div
          className="sheetnav-line"
          onClick={(event) => {
            // A press on the current stop does not change the path, so the press itself closes the sheet.
            if (event.target instanceof Element && event.target.closest('a')) dialog.current?.close()
          }}
        >
          {line}
          {promos}
        </div>
        <BalanceFoot note={note} />
      </dialog>
    </>
  )
}

export const BottomBar = ({ line, note, promos }: BarProps) => {
  const t = useTranslations('dashboard')
  const path = usePagePath()
  return (
    <nav className="bottom" {...FLOOR} aria-label={t('bottomBar')}>
      {stops.map((stop) => (
        <PageLink
          key={stop.id}
          href={stop.href}
          className={clsx('bottom-stop')}
          {...(isHere(stop, path) ? { 'aria-current': 'page' as const } : {})}
        >
          <i className="stop" />
          {t(`stops.${stop.id}`)}
        </PageLink>
      ))}
      <MenuSheet line={line} note={note} promos={promos} label={t('stops.menu')} />
    </nav>
  )
}
