'use client'
import { useEffect, useState } from 'react'
import type { RefObject } from 'react'

/** A keyboard on the screen takes more than this away; the bars of a browser take less. */
const keyboardFromPx = 150
const narrow = '(width < 1024px)'

export type ViewFacts = {
  /** The greatest height that the page had at this width. */
  readonly fullHeight: number
  readonly height: number
  readonly offsetTop: number
  readonly scale: number
  readonly isWriting: boolean
  readonly isNarrow: boolean
}
export type TypingArea = { readonly top: number; readonly height: number }

/** What is left of the screen beside its keyboard while somebody writes; null where the page has its usual form. */
export const typingArea = ({
  fullHeight,
  height,
  offsetTop,
  scale,
  isWriting,
  isNarrow,
}: ViewFacts): TypingArea | null => {
  // A page that is drawn larger shows less of itself, and that is no keyboard.
  if (!isWriting || !isNarrow || scale > 1.05 || fullHeight - height < keyboardFromPx) return null
  return { top: Math.round(offsetTop), height: Math.round(height) }
}

/**
 * Follows the part of the screen that a keyboard leaves free. Some browsers lay the keyboard over the page and tell it by the
 * visual viewport alone: there no unit of length keeps the command line in sight.
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
    // The focus moves before its events: who has it stands fast a frame later.
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
