'use client'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import type { TicketMessage } from '#contracts/http/ticket.ts'

/** Whether an element is in view, as the browser reports it. */
const useIsInView = (ref: RefObject<HTMLElement | null>): boolean => {
  const [isInView, setInView] = useState(false)
  useEffect(() => {
    if (ref.current === null) return undefined
    const observer = new IntersectionObserver((entries) => setInView(entries.at(-1)?.isIntersecting === true))
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [ref])
  return isInView
}

/** The height of the list as the reader last saw it. */
const useSeenHeight = (list: RefObject<HTMLElement | null>): RefObject<number> => {
  const height = useRef(0)
  useEffect(() => {
    const element = list.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => {
      height.current = element.offsetHeight
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [list])
  return height
}

/**
 * Keeps what somebody reads or writes at its place while lines arrive. Earlier lines push nothing down, and new ones move the lines
 * above a focused input instead of the input. New lines outside the view are counted.
 */
export const useSteadyLines = (lines: readonly TicketMessage[], readerId: string) => {
  const list = useRef<HTMLDivElement>(null)
  const end = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLDivElement>(null)
  const isAtEnd = useIsInView(end)
  const height = useSeenHeight(list)
  const first = lines[0]?.id
  const shownFirst = useRef(first)
  const last = lines.at(-1)
  const [seenUpTo, setSeenUpTo] = useState(last?.id)
  const toEnd = () => end.current?.scrollIntoView({ block: 'end' })
  useEffect(() => {
    // After the router has put a new page at its start.
    const frame = requestAnimationFrame(() => (input.current ?? end.current)?.scrollIntoView({ block: 'nearest' }))
    return () => cancelAnimationFrame(frame)
  }, [])
  useLayoutEffect(() => {
    const grownPx = height.current === 0 ? 0 : (list.current?.offsetHeight ?? 0) - height.current
    const isWriting = input.current?.contains(document.activeElement) === true
    if (isWriting || shownFirst.current !== first) window.scrollBy(0, grownPx)
    shownFirst.current = first
  }, [lines, first, height])
  const isOwn = last?.author.id === readerId
  if ((isAtEnd || isOwn) && last !== undefined && seenUpTo !== last.id) setSeenUpTo(last.id)
  const from = lines.findIndex(({ id }) => id === seenUpTo) + 1
  return { list, end, input, isAtEnd, unseen: lines.slice(from).length, toEnd }
}
