'use client'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { Suspense, useEffect } from 'react'
import type { ReactNode } from 'react'
import { usePagePath } from '@/lib/navigation/page-path.ts'
import { BalanceFoot } from './balance-foot.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { neighbour } from './entries.ts'
import { NavigationBar } from './navigation-bar.tsx'
import { useOutsideLinks } from './outside-links.tsx'
import { isAltWith, isWriting } from './shortcut.ts'
import { StaleNote } from './stale-note.tsx'
import { TopBar } from './top-bar.tsx'
import { UnverifiedNote } from './unverified-note.tsx'

/** Alt+Up and Alt+Down go to the neighbouring menu entry; never while the reader is typing. */
const useNeighbourKeys = (panelId?: string) => {
  const path = usePagePath()
  const router = useRouter()
  const outside = useOutsideLinks()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isOurs = isAltWith(event, 'ArrowUp') || isAltWith(event, 'ArrowDown')
      if (!isOurs || isWriting(event.target)) return
      const next = neighbour(path, event.code === 'ArrowUp' ? -1 : 1, { outside, panelId })
      if (next === undefined) return
      event.preventDefault()
      router.push(next)
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
