'use client'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { Suspense, useEffect, useLayoutEffect } from 'react'
import type { ReactNode } from 'react'
import { splitLocale } from '@/i18n/negotiate.ts'
import { onNavigationStart } from '@/lib/navigation/navigation-start.ts'
import { usePagePath } from '@/lib/navigation/page-path.ts'
import { askToLeave } from '@/ui/screen/leave-guard.ts'
import { BalanceFoot } from './balance-foot.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { neighbour } from './entries.ts'
import { createMenuCursor } from './menu-cursor.ts'
import { NavigationBar } from './navigation-bar.tsx'
import { useOutsideLinks } from './outside-links.tsx'
import { isAltWith, isWriting } from './shortcut.ts'
import { StaleNote } from './stale-note.tsx'
import { TopBar } from './top-bar.tsx'
import { UnverifiedNote } from './unverified-note.tsx'

// One for all frames: a navigation that leads from the panel to the dashboard begins in one and ends in the other.
const cursor = createMenuCursor()
let isListening = false
const listen = () => {
  if (isListening) return
  isListening = true
  onNavigationStart(({ pathname }) => cursor.begin(splitLocale(pathname).path))
}

/** Alt+Up and Alt+Down go to the neighbouring menu entry; never while the reader is typing. */
const useNeighbourKeys = (panelId?: string) => {
  const path = usePagePath()
  const router = useRouter()
  const outside = useOutsideLinks()
  useEffect(listen, [])
  useEffect(() => cursor.arrive(path), [path])
  // A layout effect: a key that is pressed as soon as the page is drawn is heard.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isOurs = isAltWith(event, 'ArrowUp') || isAltWith(event, 'ArrowDown')
      if (!isOurs || isWriting(event.target)) return
      const next = neighbour(cursor.place(path), event.code === 'ArrowUp' ? -1 : 1, { outside, panelId })
      if (next === undefined) return
      event.preventDefault()
      askToLeave(() => router.push(next))
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [path, panelId, router, outside])
}

type AppFrameProps = {
  line: ReactNode
  /** The line of a phone's menu, if it has more stops: there is no way to the rest of the site beside it. */
  phoneLine?: ReactNode
  note?: ReactNode
  /** The last part of the menu. */
  promos?: ReactNode
  /** Above the line: the server whose panel is open. */
  head?: ReactNode
  /** Replaces the logo on a phone. */
  here?: ReactNode
  panelId?: string | undefined
  children: ReactNode
}

/** Top bar, menu on the left, balance at its foot; on the phone a bar of five stops. */
export const AppFrame = ({ line, phoneLine = line, note, promos, head, here, panelId, children }: AppFrameProps) => {
  const t = useTranslations('common')
  useNeighbourKeys(panelId)
  return (
    <div className="app">
      <Suspense>
        <NavigationBar />
      </Suspense>
      <a className="skip" href="#content">
        {t('skipToContent')}
      </a>
      <TopBar here={here} panelId={panelId} />
      <aside className="side">
        <div className="side-scroll">
          {head}
          {line}
          {promos}
        </div>
        <BalanceFoot note={note} />
      </aside>
      <main id="content" tabIndex={-1}>
        <StaleNote className="mb-6" />
        <UnverifiedNote className="mb-6" />
        {children}
      </main>
      <BottomBar line={phoneLine} note={note} promos={promos} />
    </div>
  )
}
