'use client'
import { useEffect, useEffectEvent } from 'react'
import type { RefObject } from 'react'

type ListKeys = {
  readonly list: RefObject<HTMLElement | null>
  readonly onFilter: () => void
  readonly onStart: (serverId: string) => void
  readonly onToggle: (serverId: string) => void
}

const isField = (target: Element): boolean =>
  target.matches('textarea, select, [contenteditable=true], input:not([type=checkbox])')

const isElsewhere = (list: HTMLElement | null, target: EventTarget | null): boolean => {
  if (!(target instanceof Element) || isField(target)) return true
  // In menus and dialogs letters are theirs; on another control of the page they might be somebody else's.
  return (
    document.querySelector('dialog[open], [role=menu]') !== null ||
    !(target.matches('body, main') || list?.contains(target))
  )
}

/**
 * The keys of the list: `j` and `k` move between servers, `s` starts, `x` selects, `/` goes to the filter. Enter opens, because the
 * focus is on the link. They are heard only while the focus is in the list or nowhere.
 */
export const useListKeys = ({ list, onFilter, onStart, onToggle }: ListKeys): void => {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return
    if (isElsewhere(list.current, target)) return
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-server]') ?? [])]
    const here = rows.findIndex((row) => row.contains(document.activeElement))
    const serverId = rows[here]?.dataset['server']
    // A key that is held moves on; it starts nothing a second time.
    if (event.repeat && key !== 'j' && key !== 'k') return
    const next = { j: here + 1, k: here - 1 }[key]
    if (next !== undefined)
      rows[Math.max(0, Math.min(next, rows.length - 1))]?.querySelector<HTMLElement>('.nm')?.focus()
    else if (key === '/') onFilter()
    else if (key === 's' && serverId !== undefined) onStart(serverId)
    else if (key === 'x' && serverId !== undefined) onToggle(serverId)
    else return
    event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
