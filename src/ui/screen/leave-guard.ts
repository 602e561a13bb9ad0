'use client'
import { createContext, useCallback, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

export type LeaveGuard = {
  /** Why the page should not be left now, asked when somebody is about to; null lets go. */
  readonly hold: (reason: (() => string) | null) => void
  /** Leaves at once, or asks first. */
  readonly ask: (leave: () => void) => void
  /** The reason while the question is open. */
  readonly asked: string | null
  readonly stay: () => void
  readonly leave: () => void
}

const goes = (leave: () => void): void => leave()
const nothing = (): void => {}

/** The guard of the page around; a page without one is left at once. */
export const LeaveGuardContext = createContext<Pick<LeaveGuard, 'hold' | 'ask'>>({ hold: nothing, ask: goes })

/** The link of this site that a click follows in this window. */
const followed = (event: MouseEvent): HTMLAnchorElement | undefined => {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return undefined
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link === null || link.href === '' || (link.target !== '' && link.target !== '_self')) return undefined
  if (link.hasAttribute('download') || link.origin !== window.location.origin) return undefined
  return link
}

type Question = { readonly reason: string; readonly leave: () => void }

/**
 * Asks before a page is left while something on it is not saved: by links of the site and by the history with the page's own dialog, where
 * the browser can ask; by closing, reloading and foreign addresses with the browser's.
 */
export const useLeaveGuard = (): LeaveGuard => {
  const [held, setHeld] = useState<{ readonly reason: () => string } | null>(null)
  const [question, setQuestion] = useState<Question | null>(null)
  const hold = useCallback((reason: (() => string) | null) => setHeld(reason === null ? null : { reason }), [])
  useEffect(() => {
    if (held === null) return undefined
    const ask = (leave: () => void) => setQuestion({ reason: held.reason(), leave })
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    const onClick = (event: MouseEvent) => {
      const link = followed(event)
      if (link === undefined) return
      event.preventDefault()
      event.stopImmediatePropagation()
      ask(() => link.click())
    }
    const onNavigate = (event: NavigateEvent) => {
      if (event.navigationType !== 'traverse' || !event.cancelable) return
      event.preventDefault()
      const { key } = event.destination
      ask(() => void window.navigation.traverseTo(key))
    }
    window.addEventListener('beforeunload', onUnload)
    // Before the site's router hears of it.
    window.addEventListener('click', onClick, true)
    const history = 'navigation' in window ? window.navigation : undefined
    history?.addEventListener('navigate', onNavigate)
    return () => {
      window.removeEventListener('beforeunload', onUnload)
      window.removeEventListener('click', onClick, true)
      history?.removeEventListener('navigate', onNavigate)
    }
  }, [held])
  return {
    hold,
    ask: (leave) => {
      if (held === null) leave()
      else setQuestion({ reason: held.reason(), leave })
    },
    asked: question?.reason ?? null,
    stay: () => setQuestion(null),
    leave: () => {
      // Without listeners before it leaves, or it would ask again.
      flushSync(() => {
        setQuestion(null)
        setHeld(null)
      })
      question?.leave()
    },
  }
}
