'use client'
import { useEffect, useState } from 'react'
import type { RefObject } from 'react'

/** An on-screen keyboard takes more than this; browser bars take less. */
const keyboardFromPx = 150
const narrow = '(width < 1024px)'

export type ViewFacts = {
  /** The greatest height of the page at this width. */
  readonly fullHeight: number
  readonly height: number
  readonly offsetTop: number
  readonly scale: number
  readonly isWriting: boolean
  readonly isNarrow: boolean
}
export type TypingArea = { readonly top: number; readonly height: number }

/** The part of the screen not covered by its keyboard while somebody types; null for the normal layout. */
export const typingArea = ({
  fullHeight,
  height,
  offsetTop,
  scale,
  isWriting,
  isNarrow,
}: ViewFacts): TypingArea | null => {
  // A zoomed page shows less of itself, which is not a keyboard.
  if (!isWriting || !isNarrow || scale > 1.05 || fullHeight - height < keyboardFromPx) return null
  return { top: Math.round(offsetTop), height: Math.round(height) }
}

/**
 * Follows the part of the screen that a keyboard leaves free. Some browsers lay the keyboard over the page and report
 * it only by the visual viewport: there no CSS unit keeps the command line in sight.
 */
export const useTypingArea = (box: RefObject<HTMLElement | null>): TypingArea | null => {
  const [area, setArea] = useState<TypingArea | null>(null)
  useEffect(() => {
    const view = window.visualViewport
    const element = box.current
    if (!view || !element) return undefined
    let width = 0
    let fullHeight = 0
    let frame = 0
    const look = () => {
      if (window.innerWidth !== width) fullHeight = 0
      width = window.innerWidth
      fullHeight = Math.max(fullHeight, window.innerHeight, view.height)
      const { activeElement } = document
      const isWriting = activeElement instanceof HTMLInputElement && element.contains(activeElement)
      const { height, offsetTop, scale } = view
      const isNarrow = window.matchMedia(narrow).matches
      const next = typingArea({ fullHeight, height, offsetTop, scale, isWriting, isNarrow })
      setArea((before) => (before?.top === next?.top && before?.height === next?.height ? before : next))
    }
    // Focus events precede the change: the focused element is certain one frame later.
    const soon = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(look)
    }
    look()
    view.addEventListener('resize', look)
    view.addEventListener('scroll', look)
    element.addEventListener('focusin', soon)
    element.addEventListener('focusout', soon)
    return () => {
      cancelAnimationFrame(frame)
      view.removeEventListener('resize', look)
      view.removeEventListener('scroll', look)
      element.removeEventListener('focusin', soon)
      element.removeEventListener('focusout', soon)
    }
  }, [box])
  return area
}
