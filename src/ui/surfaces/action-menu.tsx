'use client'
import { useEffect, useLayoutEffect, useRef } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { menuFloor } from './menu-floor.ts'

export type MenuAction = {
  readonly id: string
  readonly label: string
  readonly icon: ReactNode
  readonly danger?: boolean
  readonly run: () => void
}

type ActionMenuProps = {
  readonly label: string
  /** The button that opened it: the menu stands below, and its end returns the focus there. */
  readonly opener: HTMLElement
  readonly actions: readonly MenuAction[]
  readonly onClose: () => void
}

const MARGIN = 8

/** The actions of one thing, below the button that opened them. Arrows move, Escape, Tab and a click elsewhere close it. */
export const ActionMenu = ({ label, opener, actions, onClose }: ActionMenuProps) => {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const menu = ref.current
    if (!menu) return
    const { width, height } = menu.getBoundingClientRect()
    const from = opener.getBoundingClientRect()
    const below = from.bottom + height + MARGIN <= menuFloor()
    menu.style.left = `${Math.max(MARGIN, Math.min(from.right - width, window.innerWidth - width - MARGIN))}px`
    menu.style.top = `${Math.max(MARGIN, below ? from.bottom : from.top - height)}px`
    menu.querySelector<HTMLElement>('[role=menuitem]')?.focus({ preventScroll: true })
  }, [opener])
  useEffect(() => {
    const onElsewhere = (event: Event) => {
      if (!(event.target instanceof Node)) return
      if (!ref.current?.contains(event.target) && !opener.contains(event.target)) onClose()
    }
    // The event of a scroll that ended with the tap comes after it: only one that moves the button away closes the menu.
    const from = opener.getBoundingClientRect().top
    const onScroll = () => {
      if (Math.abs(opener.getBoundingClientRect().top - from) >= 1) onClose()
    }
    document.addEventListener('pointerdown', onElsewhere)
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      document.removeEventListener('pointerdown', onElsewhere)
      window.removeEventListener('scroll', onScroll)
    }
  }, [onClose, opener])
  const leave = () => {
    onClose()
    opener.focus({ preventScroll: true })
  }
  const onKey = (event: KeyboardEvent) => {
    const items = [...(ref.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
    const here = items.findIndex((item) => item === document.activeElement)
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Escape' || event.key === 'Tab') leave()
    else if (step !== undefined) items.at((here + step + items.length) % items.length)?.focus()
    else if (event.key === 'Home' || event.key === 'End') items.at(event.key === 'Home' ? 0 : -1)?.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return createPortal(
    <div ref={ref} className="menu action-menu" role="menu" tabIndex={-1} aria-label={label} onKeyDown={onKey}>
      {actions.map(({ id, label: words, icon, danger = false, run }) => (
        <button
          key={id}
          type="button"
          role="menuitem"
          className={danger ? 'danger' : undefined}
          onClick={() => {
            leave()
            run()
          }}
        >
          {icon}
          {words}
        </button>
      ))}
    </div>,
    document.body,
  )
}
