'use client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { DragEvent } from 'react'
import type { FileEntry } from '#contracts/panel/node-files.ts'
import { useAddressText } from '@/ui/screen/address-state.ts'
import { useFiles } from './files-context.tsx'
import { folderQuery, ORDERS } from './files-queries.ts'
import type { Order } from './files-queries.ts'

/** The order of the list, in the address: `size`, or `-size` from the largest down. */
export const useOrder = (): readonly [Order, (by: Order['by']) => void] => {
  const [text, setText] = useAddressText('sort')
  const by = ORDERS.find((order) => order === text.replace('-', '')) ?? 'name'
  const order = useMemo(() => ({ by, descending: text.startsWith('-') }), [by, text])
  const choose = (next: Order['by']) =>
    setText(next === by && !order.descending ? `-${next}` : next === 'name' ? '' : next)
  return [order, choose]
}

/** The entries of the open folder, as far as they are read. */
export const useFolder = (folder: string, order: Order) => {
  const query = useInfiniteQuery(folderQuery(useFiles(), folder, order))
  const entries = useMemo(() => {
    const seen = new Map<string, FileEntry>()
    // Pages are read one after the other: what moved from one to the next meanwhile is there twice.
    for (const page of query.data?.pages ?? []) for (const entry of page.entries) seen.set(entry.name, entry)
    return [...seen.values()]
  }, [query.data])
  const { hasNextPage, isFetching, fetchNextPage } = query
  const more = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage()
  }, [hasNextPage, isFetching, fetchNextPage])
  const total = query.data?.pages.at(-1)?.total ?? 0
  return { query, entries, total, more, isWhole: query.data !== undefined && !hasNextPage }
}

/** Files from outside that are dragged over the pane. */
export const useDrop = (onFiles: (transfer: DataTransfer) => void, isOn: boolean) => {
  const [isOver, setOver] = useState(false)
  // Also where nothing may be dropped: the browser would open the file in place of the page.
  const isOutside = (event: DragEvent) => event.dataTransfer.types.includes('Files')
  return {
    isOver,
    events: {
      onDragOver: (event: DragEvent) => {
        if (!isOutside(event)) return
        event.preventDefault()
        setOver(isOn)
      },
      onDragLeave: (event: DragEvent) => {
        if (!(event.relatedTarget instanceof Node) || !event.currentTarget.contains(event.relatedTarget)) setOver(false)
      },
      // A folder below takes its drop for itself.
      onDropCapture: () => setOver(false),
      onDrop: (event: DragEvent) => {
        if (!isOutside(event)) return
        event.preventDefault()
        onFiles(event.dataTransfer)
      },
    },
  }
}
