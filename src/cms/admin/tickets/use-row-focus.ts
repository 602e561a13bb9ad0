'use client'

import { useEffect, useRef, useState, type FocusEvent } from 'react'
import { inPlaceOf } from './keys/queue-keys.ts'

/** The ticket that was focused last: whoever returns to the queue continues there. */
const last: { id: string | undefined } = { id: undefined }

const focusLink = (id: string | undefined): void => {
  if (id !== undefined) document.querySelector<HTMLElement>(`[data-ticket="${CSS.escape(id)}"]`)?.focus()
}

const isFree = (): boolean => document.activeElement === null || document.activeElement === document.body

/**
 * The focus of a list of links of which Tab reaches one. It stays on its ticket while rows come and go, and moves to the row at the
 * same place when its ticket leaves the list.
 */
export const useRowFocus = (ids: readonly string[]) => {
  const [spot, setSpot] = useState({ id: last.id, index: 0 })
  const isInside = useRef(true)
  const current = spot.id !== undefined && ids.includes(spot.id) ? spot.id : inPlaceOf(ids, spot.index)
  const index = current === undefined ? 0 : ids.indexOf(current)
  useEffect(() => {
    setSpot((known) => (known.id === current && known.index === index ? known : { id: current, index }))
    // A list that appears takes the focus too, unless the reader has put it somewhere.
    if (isInside.current && isFree()) focusLink(current)
  }, [current, index])
  return {
    current,
    focus: focusLink,
    rowProps: (id: string) => ({
      'data-ticket': id,
      tabIndex: id === current ? 0 : -1,
      onFocus: () => {
        last.id = id
        isInside.current = true
        setSpot({ id, index: ids.indexOf(id) })
      },
      onBlur: ({ relatedTarget }: FocusEvent) => {
        // Nothing takes over the focus of a row that was removed.
        if (relatedTarget !== null) isInside.current = false
      },
    }),
  }
}
