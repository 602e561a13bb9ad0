'use client'

import { useCallback, useEffect, useRef, useState } from 'react'

type Page<Item> = { readonly items: readonly Item[]; readonly next: string | null }
/** Undefined where the page could not be read. */
type Read<Item> = (before: string | undefined) => Promise<Page<Item> | undefined>

export type ListState = 'loading' | 'ready' | 'failed'

/** The first pages, until there are as many rows as wished or no more of them. */
const readFirst = async <Item>(read: Read<Item>, wished: number): Promise<Page<Item> | undefined> => {
  let items: readonly Item[] = []
  let before: string | undefined
  for (;;) {
    const page = await read(before)
    if (page === undefined) return undefined
    items = [...items, ...page.items]
    if (page.next === null || items.length >= wished) return { items, next: page.next }
    before = page.next
  }
}

/**
 * A list that grows by its pages. `key` names what is read: another one begins anew, and an answer that comes after that is
 * thrown away. `reload` reads as many rows as are shown. What is shown stays when a further page fails; `again` repeats what failed.
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
  const load = useCallback(async (shown: readonly Item[], from: { before: string } | { wished: number }) => {
    turn.current += 1
    const own = turn.current
    setState('loading')
    const isMore = 'before' in from
    const page = await (isMore ? latest.current(from.before) : readFirst(latest.current, from.wished))
    if (own !== turn.current) return
    setState(page === undefined ? 'failed' : 'ready')
    if (page === undefined) return isMore ? undefined : setItems([])
    setItems(isMore ? [...shown, ...page.items] : page.items)
    setNext(page.next)
  }, [])
  const wished = useRef(0)
  useEffect(() => {
    wished.current = 0
    void load([], { wished: 0 })
  }, [key, load])
  useEffect(() => {
    if (items.length > 0) wished.current = items.length
  }, [items])
  const reload = () => void load([], { wished: wished.current })
  const more = () => void (next === null ? undefined : load(items, { before: next }))
  return { items, next, state, reload, more, again: items.length === 0 ? reload : more }
}
