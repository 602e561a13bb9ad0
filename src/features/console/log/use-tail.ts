'use client'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import type { LogEntry } from './log-buffer.ts'

const nearEndPx = 24
const nearTopPx = 240

/** Lines after number `seen`. */
export const linesAfter = (entries: readonly LogEntry[], seen: number): number => {
  let count = 0
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index]
    if (!entry || entry.seq <= seen) break
    if (entry.kind === 'line') count += 1
  }
  return count
}

export type Tail = {
  following: boolean
  /** New lines since the reader scrolled up. */
  fresh: number
  onScroll: () => void
  toEnd: () => void
  pause: () => void
}

type TailInput = {
  box: RefObject<HTMLDivElement | null>
  content: RefObject<HTMLDivElement | null>
  entries: readonly LogEntry[]
  /** The newest known number, and how many lines up to it are not among the entries. */
  lastSeq: number
  behind: number
  onReachTop: () => void
  /** Loads the newest lines if the entries end before them. */
  onToEnd: () => void
  /** Called when the reader leaves the end, and returns to it. */
  onHold: (isHeld: boolean) => void
}

/** Lines after number `seen`, held or not. */
export const freshLines = (entries: readonly LogEntry[], seen: number, known: { lastSeq: number; behind: number }) => {
  if (known.behind === 0) return linesAfter(entries, seen)
  const end = entries.at(-1)?.seq ?? 0
  return end >= seen ? linesAfter(entries, seen) + known.behind : Math.max(0, known.lastSeq - seen)
}

const atEndOf = (box: HTMLElement) => box.scrollHeight - box.scrollTop - box.clientHeight <= nearEndPx

/** Keeps the reader's position when older lines are added above it; at the very top the browser would not. */
const useHeldPlace = (box: RefObject<HTMLDivElement | null>, first: number) => {
  const place = useRef<{ first: number; element: HTMLElement; top: number } | null>(null)
  const keep = useCallback(() => {
    const element = box.current?.querySelector<HTMLElement>('[data-seq]')
    place.current = element ? { first, element, top: element.getBoundingClientRect().top } : null
  }, [box, first])
  useLayoutEffect(() => {
    const before = place.current
    if (before && first < before.first && before.element.isConnected && box.current) {
      box.current.scrollBy(0, before.element.getBoundingClientRect().top - before.top)
    }
    keep()
  }, [box, first, keep])
  return keep
}

/** Whether the reader has selected text in here. */
const isMarked = (box: HTMLElement | null): boolean => {
  const selection = document.getSelection()
  return !!box && !!selection && !selection.isCollapsed && box.contains(selection.anchorNode)
}

type Follow = {
  readonly following: boolean
  /** The state follows one frame later; scrolling code reads this immediately. */
  readonly isFollowing: RefObject<boolean>
  /** The newest number when the reader left the end. */
  readonly seen: number
  readonly follow: () => void
  readonly pause: () => void
}

const useFollow = (lastSeq: number, onHold: (isHeld: boolean) => void): Follow => {
  const [following, setFollowing] = useState(true)
  const [seen, setSeen] = useState(0)
  const isFollowing = useRef(true)
  const newest = useRef(lastSeq)
  useLayoutEffect(() => {
    newest.current = lastSeq
  }, [lastSeq])
  useEffect(() => onHold(!following), [following, onHold])
  const follow = useCallback(() => {
    isFollowing.current = true
    setFollowing(true)
  }, [])
  const pause = useCallback(() => {
    if (isFollowing.current) setSeen(newest.current)
    isFollowing.current = false
    setFollowing(false)
  }, [])
  return { following, isFollowing, seen, follow, pause }
}

/**
 * A selection in progress must not move: a log that follows its end pauses until nothing is selected any more. Returns
 * the function to call if the reader scrolled up meanwhile: then they stay there.
 */
const useRestWhileMarked = (box: RefObject<HTMLDivElement | null>, { isFollowing, follow, pause }: Follow) => {
  const goesOn = useRef(false)
  useEffect(() => {
    let wasMarked = false
    const onChange = () => {
      const marked = isMarked(box.current)
      if (marked === wasMarked) return
      wasMarked = marked
      if (!marked && goesOn.current) follow()
      goesOn.current = marked && isFollowing.current
      if (goesOn.current) pause()
    }
    document.addEventListener('selectionchange', onChange)
    return () => document.removeEventListener('selectionchange', onChange)
  }, [box, isFollowing, follow, pause])
  return useCallback(() => {
    goesOn.current = false
  }, [])
}

/**
 * Keeps the end of the log in view until the reader scrolls up. Only an upward scroll pauses it: growth or relayout of
 * the log does not.
 */
export const useTail = (input: TailInput): Tail => {
  const { box, content, entries, lastSeq, behind, onReachTop, onToEnd, onHold } = input
  const tail = useFollow(lastSeq, onHold)
  const { following, isFollowing, seen, follow, pause } = tail
  const stay = useRestWhileMarked(box, tail)
  const lastTop = useRef(0)
  const newest = entries.at(-1)?.seq ?? 0
  const isAtEnd = behind === 0
  const keepPlace = useHeldPlace(box, entries[0]?.seq ?? 0)

  const pin = useCallback(() => {
    const area = box.current
    if (!area || !isFollowing.current) return
    area.scrollTo(0, area.scrollHeight)
    lastTop.current = area.scrollTop
  }, [box, isFollowing])
  useLayoutEffect(() => {
    if (following) pin()
  }, [following, newest, entries.length, pin])
  useEffect(() => {
    if (!following || !content.current || !box.current) return undefined
    const observer = new ResizeObserver(pin)
    observer.observe(content.current)
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [following, box, content, pin])

  const onScroll = () => {
    const area = box.current
    if (!area) return
    const wentUp = area.scrollTop < lastTop.current - 1
    lastTop.current = area.scrollTop
    if (wentUp) stay()
    if (isAtEnd && atEndOf(area) && !isMarked(area)) follow()
    else if (wentUp && following) pause()
    keepPlace()
    if (wentUp && area.scrollTop < nearTopPx) onReachTop()
  }
  return {
    following,
    fresh: following ? 0 : freshLines(entries, seen, { lastSeq, behind }),
    onScroll,
    toEnd: () => {
      if (!isAtEnd) onToEnd()
      follow()
      pin()
    },
    pause,
  }
}
