'use client'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import type { GatewayMessage } from '#contracts/gateway/events.ts'
import type { LinkState } from '@/lib/realtime/gateway-link.ts'
import { openLink } from '@/lib/realtime/open-link.ts'
import { ticketSigns } from '@/lib/realtime/ticket-signs.ts'
import { watchState } from '@/lib/realtime/watch-state.ts'
import { applyEvent, applyStates, catchUp } from './apply-event.ts'
import { createStateBatch, nextFrame } from './state-batch.ts'

const LinkContext = createContext<LinkState>('connecting')

/** The state of the realtime link, as shown by the lantern. */
export const useLinkState = (): LinkState => useContext(LinkContext)

/** The realtime link of this page; its events are applied to the query cache. */
export const RealtimeProvider = ({ children }: { children: ReactNode }) => {
  const client = useQueryClient()
  const [shown, setShown] = useState<LinkState>('connecting')
  useEffect(() => {
    const states = createStateBatch((words) => applyStates(client, words), nextFrame)
    const onMessage = (message: GatewayMessage) => {
      if (message.event === 'server.state.change') return states.add(message.data.sid, message.data.state)
      if (message.event === 'ticket.sign') return ticketSigns.hear(message.data)
      states.flush()
      return applyEvent(client, message)
    }
    const { link, close } = openLink(onMessage)
    const leaveSigns = ticketSigns.use((sign) => link.say(sign))
    let hasOpened = false
    const show = (state: LinkState) => {
      setShown(state)
      if (state !== 'connected' || hasOpened) return
      hasOpened = true
      catchUp(client)
    }
    const stopWatching = watchState(window, () => link.state(), show)
    return () => {
      stopWatching()
      leaveSigns()
      close()
    }
  }, [client])
  return <LinkContext value={shown}>{children}</LinkContext>
}
