'use client'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { usePagePath } from '@/lib/page-path.ts'
import { BalanceFoot } from './balance-foot.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { neighbour } from './entries.ts'
import { TopBar } from './top-bar.tsx'
import './frame.css'

const isEditable = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

/** Alt+Up and Alt+Down go to the neighbouring entry of the menu; never while something is being written. */
const useNeighbourKeys = (panelId?: string) => {
  const path = usePagePath()
  const router = useRouter()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.code !== 'ArrowUp' && event.code !== 'ArrowDown') return
      const isOurs = event.altKey && !event.ctrlKey && !event.metaKey && !event.getModifierState('AltGraph')
      if (!isOurs || isEditable(event.target)) return
      const next = neighbour(path, event.code === 'ArrowUp' ? -1 : 1, panelId)
      if (next === undefined) return
      event.preventDefault()
      router.push(next)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [path, panelId, router])
}

type AppFrameProps = {
  line: ReactNode
  note?: ReactNode
  /** Above the line: the server whose panel is open. */
  head?: ReactNode
  /** In place of the logo on the phone. */
  here?: ReactNode
  panelId?: string | undefined
  children: ReactNode
}

/** Top bar, menu on the left, balance at its foot; on the phone a bar of five stops. */
export const AppFrame = ({ line, note, head, here, panelId, children }: AppFrameProps) => {
  const t = useTranslations('common')
  useNeighbourKeys(panelId)
  return (
    <div className="app">
      <a className="skip" href="#content">
        {t('skipToContent')}
      </a>
      <TopBar here={here} />
      <aside className="side">
        <div className="side-scroll">
          {head}
          {line}
        </div>
        <BalanceFoot note={note} />
      </aside>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <BottomBar line={line} note={note} />
    </div>
  )
}
