'use client'
import { useEffect, useState } from 'react'
import { ticketDrafts } from './ticket-draft.ts'
import type { Draft, DraftPlace } from './ticket-draft.ts'

/** The draft of a place as it was kept when the form appeared. Only for forms that the server never draws. */
export const useDraftOf = ({ userId, ticket }: DraftPlace): Draft =>
  useState(() => ticketDrafts.read({ userId, ticket }))[0]

/** Keeps what is typed, and says whether it is kept. */
export const useKeptDraft = (
  { userId, ticket }: DraftPlace,
  { title, categoryId, message, serverId, leftOut, leftOutLines }: Draft,
): boolean => {
  const [isKept, setKept] = useState(false)
  useEffect(() => {
    const typed = Object.entries({ title, categoryId, message, serverId, leftOut, leftOutLines }).filter(
      ([, text]) => text !== undefined,
    )
    setKept(ticketDrafts.keep({ userId, ticket }, Object.fromEntries(typed)))
  }, [userId, ticket, title, categoryId, message, serverId, leftOut, leftOutLines])
  return isKept
}
