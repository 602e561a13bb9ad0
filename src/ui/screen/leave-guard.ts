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

/** The question of the page that is held now, if one is. */
let askNow: LeaveGuard['ask'] = goes

/** Asks the page that is held, before something outside it leads to another page without a link. */
export const askToLeave: LeaveGuard['ask'] = (leave) => askNow(leave)

/** Whether the address is that of the page itself: its hash leaves nothing. */
const isHere = ({ pathname, search }: Pick<URL, 'pathname' | 'search'>): boolean =>
  pathname === window.location.pathname && search === window.location.search

/** The link to another page of this site that a click follows in this window. */
const followed = (event: MouseEvent): HTMLAnchorElement | undefined => {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return undefined
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link === null || link.href === '' || (link.target !== '' && link.target !== '_self')) return undefined
  if (link.hasAttribute('download') || link.origin !== window.location.origin || isHere(link)) return undefined
  return link
}

type Question = { readonly reason: string; readonly leave: () => void }
type Held = { readonly reason: () => string; readonly isLetGo: boolean }

const INPUTS = ['pointerdown', 'keydown'] as const

/** Holds again at the next input of somebody who was let go: what leads away needs none, so they are still here. */
const heldAgain = (hold: () => void): (() => void) => {
  for (const input of INPUTS) window.addEventListener(input, hold, true)
  return () => {
    for (const input of INPUTS) window.removeEventListener(input, hold, true)
  }
}

/** Asks before every way that leads away, until the returned function is called. */
const listening = (ask: LeaveGuard['ask']): (() => void) => {
  const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
  const onClick = (event: MouseEvent) => {
    const link = followed(event)
    if (link === undefined) return
    event.preventDefault()
    event.stopImmediatePropagation()
    ask(() => link.click())
  }
  const onNavigate = (event: NavigateEvent) => {
    // An address that the router pushes is no question any more: it has left the page when the address changes.
    if (event.navigationType !== 'traverse' || !event.cancelable || isHere(new URL(event.destination.url))) return
    event.preventDefault()
    const { key } = event.destination
    ask(() => void window.navigation.traverseTo(key))
  }
  window.addEventListener('beforeunload', onUnload)
  // Before the site's router hears of it.
  window.addEventListener('click', onClick, true)
  const history = 'navigation' in window ? window.navigation : undefined
  history?.addEventListener('navigate', onNavigate)
  askNow = ask
  return () => {
    if (askNow === ask) askNow = goes
    window.removeEventListener('beforeunload', onUnload)
    window.removeEventListener('click', onClick, true)
    history?.removeEventListener('navigate', onNavigate)
  }
}

/**
 * Asks before a page is left while something on it is not saved: by links of the site, by `askToLeave` and by the history with the page's own
 * dialog, where the browser can ask; by closing, reloading and foreign addresses with the browser's.
 */
export const useLeaveGuard = (): LeaveGuard => {
  const [held, setHeld] = useState<Held | null>(null)
  const [question, setQuestion] = useState<Question | null>(null)
  const hold = useCallback(
    (reason: (() => string) | null) => setHeld(reason === null ? null : { reason, isLetGo: false }),
    [],
  )
  useEffect(() => {
    if (held === null) return undefined
    return held.isLetGo
      ? heldAgain(() => setHeld({ ...held, isLetGo: false }))
      : listening((leave) => setQuestion({ reason: held.reason(), leave }))
  }, [held])
  return {
    hold,
    ask: (leave) => {
      if (held === null || held.isLetGo) leave()
      else setQuestion({ reason: held.reason(), leave })
    },
    asked: question?.reason ?? null,
    stay: () => setQuestion(null),
    leave: () => {
      // Without listeners before it leaves, or it would ask again.
      flushSync(() => {
        setQuestion(null)
        setHeld(held === null ? null : { ...held, isLetGo: true })
      })
      question?.leave()
    },
  }
}
