'use client'
import { useLayoutEffect, useState } from 'react'
import { moveWriting } from './move-writing.ts'

/**
 * Takes what was written in another ticket to this one, and says whether that is done, so that a form with its draft can appear. It is done before the
 * page is painted, and never while it is drawn: other parts of the page hear of moved files.
 */
export const useMovedWriting = (userId: string, from: string | undefined, ticket: string): boolean => {
  const [movedTo, setMovedTo] = useState<string | null>(null)
  useLayoutEffect(() => {
    if (from !== undefined) moveWriting({ userId, ticket: from }, ticket)
    setMovedTo(ticket)
  }, [userId, from, ticket])
  return from === undefined || movedTo === ticket
}
