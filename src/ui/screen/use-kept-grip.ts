'use client'
import { useEffect, useLayoutEffect, useRef } from 'react'
import type { RefObject } from 'react'

/** The controls of a row that can move it. */
const MOVERS = ['[data-grip]', '[aria-haspopup=menu]'] as const

type Kept = { readonly id: string; readonly mover: string }

const keptOf = (target: EventTarget | null, row: string): Kept | null => {
  if (!(target instanceof Element)) return null
  const id = target.closest(`[${row}]`)?.getAttribute(row)
  const mover = MOVERS.find((selector) => target.matches(selector))
  return !id || mover === undefined ? null : { id, mover }
}

/**
 * A row that was moved without a pointer is another element, or was taken out and put back: the control that moved it has the focus
 * again. `row` is the attribute with the row's id.
 */
export const useKeptGrip = (list: RefObject<HTMLElement | null>, row: `data-${string}`): void => {
  const kept = useRef<Kept | null>(null)
  useEffect(() => {
    const note = ({ target }: Event) => {
      kept.current = keptOf(target, row)
    }
    const forget = () => {
      kept.current = null
    }
    document.addEventListener('focusin', note)
    document.addEventListener('pointerdown', forget)
    return () => {
      document.removeEventListener('focusin', note)
      document.removeEventListener('pointerdown', forget)
    }
  }, [row])
  useLayoutEffect(() => {
    if (kept.current === null || document.activeElement !== document.body) return
    const { id, mover } = kept.current
    list.current?.querySelector<HTMLElement>(`[${row}="${id}"] ${mover}`)?.focus()
  })
}
