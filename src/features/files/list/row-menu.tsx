'use client'
import { useTranslations } from 'next-intl'
import { useEffect, useLayoutEffect, useRef } from 'react'
import type { KeyboardEvent } from 'react'
import { menuFloor } from '@/ui/surfaces/menu-floor.ts'

export const ACTIONS = [
  'open',
  'download',
  'rename',
  'copy',
  'cut',
  'paste',
  'move',
  'send',
  'compress',
  'extract',
  'mode',
  'size',
  'delete',
] as const
export type Action = (typeof ACTIONS)[number]

/** The keys of the actions, as the list listens to them. */
const KEYS: Partial<Readonly<Record<Action, string>>> = {
  open: '↵',
  rename: 'F2',
  copy: 'Ctrl C',
  cut: 'Ctrl X',
  paste: 'Ctrl V',
  delete: 'Del',
}

type MenuProps = {
  readonly at: { readonly x: number; readonly y: number }
  readonly actions: readonly Action[]
  readonly onChoose: (action: Action) => void
  readonly onClose: () => void
}

const MARGIN = 8

/** The actions of what is chosen: at the pointer, or at the row for a keyboard. Escape and a click elsewhere close it. */
export const RowMenu = ({ at, actions, onChoose, onClose }: MenuProps) => {
  const t = useTranslations('files')
  const ref = useRef<HTMLDivElement>(null)
  const before = useRef<Element>(null)
  useLayoutEffect(() => {
    before.current ??= document.activeElement
    const menu = ref.current
    if (!menu) return
    const { width, height } = menu.getBoundingClientRect()
    menu.style.left = `${Math.max(MARGIN, Math.min(at.x, window.innerWidth - width - MARGIN))}px`
    menu.style.top = `${Math.max(MARGIN, Math.min(at.y, menuFloor() - height - MARGIN))}px`
    menu.querySelector<HTMLElement>('[role=menuitem]')?.focus({ preventScroll: true })
  }, [at])
  useEffect(() => {
    const onElsewhere = (event: Event) => {
      if (event.target instanceof Node && !ref.current?.contains(event.target)) onClose()
    }
    document.addEventListener('pointerdown', onElsewhere)
    return () => document.removeEventListener('pointerdown', onElsewhere)
  }, [onClose])
  /** The place where the reader was, for the next key and for a dialog that gives the focus back to it. */
  const goBack = () => {
    if (before.current instanceof HTMLElement) before.current.focus({ preventScroll: true })
  }
  const onKey = (event: KeyboardEvent) => {
    const items = [...(ref.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
    const here = items.findIndex((item) => item === document.activeElement)
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Escape' || event.key === 'Tab') {
      goBack()
      onClose()
    } else if (step !== undefined) items.at((here + step + items.length) % items.length)?.focus()
    else if (event.key === 'Home' || event.key === 'End') items.at(event.key === 'Home' ? 0 : -1)?.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div ref={ref} className="menu fmenu" role="menu" tabIndex={-1} aria-label={t('actions.title')} onKeyDown={onKey}>
      {actions.map((action) => (
        <button
          key={action}
          type="button"
          role="menuitem"
          className={action === 'delete' ? 'danger' : undefined}
          onClick={() => {
            goBack()
            onChoose(action)
          }}
        >
          {t(`actions.${action}`)}
          {KEYS[action] === undefined ? null : (
            <span className="kbd" aria-hidden>
              {KEYS[action]}
            </span>
          )}
        </button>
      ))}
    </div>
  )
}
