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
  /** Lines that came since the reader went up. */
  fresh: number
  onScroll: () => void
  toEnd: () => void
  pause: () => void
}

type TailInput = {
  box: RefObject<HTMLDivElement | null>
  content: RefObject<HTMLDivElement | null>
  entries: readonly LogEntry[]
  onReachTop: () => void
}

const atEndOf = (box: HTMLElement) => box.scrollHeight - box.scrollTop - box.clientHeight <= nearEndPx

/** The reader's place holds when older lines come in above it; at the very top the browser would not hold it itself. */
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

/**
 * Keeps the end of the log in view until the reader goes up. Only a move upwards pauses: a log that grows or is measured
 * anew does not.
 */
export const useTail = ({ box, content, entries, onReachTop }: TailInput): Tail => {
  const [following, setFollowing] = useState(true)
  const [seen, setSeen] = useState(0)
  const lastTop = useRef(0)
  // The state follows a frame later; what moves the log asks this at once.
  const isFollowing = useRef(true)
  const newest = entries.at(-1)?.seq ?? 0
  const keepPlace = useHeldPlace(box, entries[0]?.seq ?? 0)

  const pin = useCallback(() => {
    const area = box.current
    if (!area || !isFollowing.current) return
    area.scrollTo(0, area.scrollHeight)
    lastTop.current = area.scrollTop
  }, [box])
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

  const pause = useCallback(() => {
    isFollowing.current = false
    setFollowing(false)
    setSeen((before) => (following ? newest : before))
  }, [following, newest])
  const onScroll = () => {
    const area = box.current
    if (!area) return
    const wentUp = area.scrollTop < lastTop.current - 1
    lastTop.current = area.scrollTop
    if (atEndOf(area)) {
      isFollowing.current = true
      setFollowing(true)
    } else if (wentUp && following) pause()
    keepPlace()
    if (wentUp && area.scrollTop < nearTopPx) onReachTop()
  }
  return {
    following,
    fresh: following ? 0 : linesAfter(entries, seen),
    onScroll,
    toEnd: () => {
      isFollowing.current = true
      setFollowing(true)
      pin()
    },
    pause,
  }
}
