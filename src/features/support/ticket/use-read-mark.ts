'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { TicketView } from '#contracts/http/ticket.ts'
import { Nothing } from '#contracts/primitives.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import { keys } from '@/lib/queries/queries.ts'
import { ticketPath } from '../ticket-queries.ts'

const useIsPageVisible = (): boolean => {
  const [isVisible, setVisible] = useState(false)
  useEffect(() => {
    const look = () => setVisible(document.visibilityState === 'visible')
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return isVisible
}

/** Notes that the reader has seen the newest line, once it has been in view of a visible page. */
export const useReadMark = ({ ticket, messages }: TicketView, isAtEnd: boolean): void => {
  const client = useQueryClient()
  const isVisible = useIsPageVisible()
  const marked = useRef<string | null>(null)
  const upTo = messages.at(-1)?.id
  const isDue = isAtEnd && isVisible && ticket.unread
  useEffect(() => {
    if (!isDue || upTo === undefined || marked.current === upTo) return
    marked.current = upTo
    const mark = async () => {
      try {
        await api.call(`${ticketPath(ticket.id)}/read`, { method: 'POST', body: { upTo }, schema: Nothing })
        client.setQueryData<TicketView>(keys.ticket(ticket.id), (known) =>
          known?.messages.at(-1)?.id === upTo ? { ...known, ticket: { ...known.ticket, unread: false } } : known,
        )
        await client.invalidateQueries({ queryKey: keys.tickets })
      } catch {
        // The mark is tried again with the next line or the next visit; nothing else depends on it.
        marked.current = null
      }
    }
    void mark()
  }, [client, isDue, ticket.id, upTo])
}
