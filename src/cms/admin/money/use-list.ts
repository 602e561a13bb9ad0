'use client'

import { useCallback, useEffect, useRef, useState } from 'react'

type Page<Item> = { readonly items: readonly Item[]; readonly next: string | null }
/** Undefined where the page could not be read. */
type Read<Item> = (before: string | undefined) => Promise<Page<Item> | undefined>

export type ListState = 'loading' | 'ready' | 'failed'

/**
 * A list that grows by its pages. `key` names what is read: another one begins anew, and an answer that comes after that is
 * thrown away.
 */
export const useList = <Item>(key: string, read: Read<Item>) => {
  const [items, setItems] = useState<readonly Item[]>([])
  const [next, setNext] = useState<string | null>(null)
  const [state, setState] = useState<ListState>('loading')
  const latest = useRef(read)
  useEffect(() => {
    latest.current = read
  })
  const turn = useRef(0)
  const load = useCallback(async (before?: string) => {
    turn.current += 1
    const own = turn.current
    setState('loading')
    const page = await latest.current(before)
    if (own !== turn.current) return
    if (page === undefined) return setState('failed')
    setItems((known) => (before === undefined ? page.items : [...known, ...page.items]))
    setNext(page.next)
    setState('ready')
  }, [])
  useEffect(() => void load(), [key, load])
  return { items, next, state, reload: () => void load(), more: () => void load(next ?? undefined) }
}
