'use client'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { SIGN_EVERY_MS, type TicketSign } from '#domain/tickets/ticket-sign.ts'
import { ticketSigns, type SeenSign } from './ticket-signs.ts'

/** So long after the last key somebody still counts as writing. */
const PAUSE_MS = 6_000
const nobody: readonly SeenSign[] = []

/** The others who are at work on a ticket. */
export const useTicketSigns = (ticketId: string): readonly SeenSign[] =>
  useSyncExternalStore(
    (onChange) => ticketSigns.watch(onChange),
    () => ticketSigns.of(ticketId),
    () => nobody,
  )

/** Whether the text at a place was changed just now: what stood there when the place was opened was not. */
export const useIsWriting = (text: string, place: string): boolean => {
  const [known, setKnown] = useState({ text, place, isWriting: false })
  // A message that was sent leaves an empty field, in which nobody writes.
  if (known.text !== text || known.place !== place)
    setKnown({ text, place, isWriting: known.place === place && text.trim() !== '' })
  useEffect(() => {
    if (!known.isWriting) return undefined
    const timer = window.setTimeout(() => setKnown((now) => ({ ...now, isWriting: false })), PAUSE_MS)
    return () => window.clearTimeout(timer)
  }, [known])
  return known.isWriting
}

/** Tells the others what this page's person does with a ticket, again and again until it is over or the page is left. */
export const useOwnSign = (ticketId: string, sign: TicketSign | null): void => {
  const told = useRef<TicketSign | null>(null)
  useEffect(() => {
    if (sign === null) {
      if (told.current !== null) ticketSigns.say({ ticketId, sign: 'ended' })
      told.current = null
      return undefined
    }
    const tell = () => ticketSigns.say({ ticketId, sign })
    told.current = sign
    tell()
    const timer = window.setInterval(tell, SIGN_EVERY_MS)
    return () => window.clearInterval(timer)
  }, [ticketId, sign])
  useEffect(() => {
    const end = () => {
      if (told.current !== null) ticketSigns.say({ ticketId, sign: 'ended' })
      told.current = null
    }
    window.addEventListener('pagehide', end)
    return () => {
      window.removeEventListener('pagehide', end)
      end()
    }
  }, [ticketId])
}
