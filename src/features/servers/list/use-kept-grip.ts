'use client'
import { useEffect, useLayoutEffect, useRef } from 'react'
import type { RefObject } from 'react'

/** A row that was moved by the keys of its grip is another element, or was taken out and put back: its grip has the focus again. */
export const useKeptGrip = (list: RefObject<HTMLElement | null>): void => {
  const kept = useRef<string | null>(null)
  useEffect(() => {
    const note = (event: FocusEvent) => {
      const grip = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-grip]') : null
      kept.current = grip?.closest<HTMLElement>('[data-server]')?.dataset['server'] ?? null
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
  }, [])
  useLayoutEffect(() => {
    if (kept.current === null || document.activeElement !== document.body) return
    list.current?.querySelector<HTMLElement>(`[data-server="${kept.current}"] [data-grip]`)?.focus()
  })
}
