'use client'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import type { GatewayMessage } from '#contracts/gateway/events.ts'
import { GatewayTicketAnswer } from '#contracts/http/auth.ts'
import { api, goToLogin, logOut, sessionStatus } from '@/lib/browser-client/browser-client.ts'
import { applyEvent, applyStates } from './apply-event.ts'
import { checkSession } from './check-session.ts'
import { createGatewayLink } from './gateway-link.ts'
import type { LinkState } from './gateway-link.ts'
import { tellOfLostLink } from './lost-link.ts'
import { createSharedLink } from './shared-link.ts'
import { browserTimers, openBrowserSocket } from './socket.ts'
import { createStateBatch, nextFrame } from './state-batch.ts'
import { browserTabs } from './tab-channel.ts'
import { watchState } from './watch-state.ts'

const sessionDeps = {
  me: sessionStatus,
  refresh: () => api.refresh(),
  leave: goToLogin,
}

const gatewayAddress = async (): Promise<string> => {
  const { ticket } = await api.call('/api/auth/gateway-ticket', { schema: GatewayTicketAnswer })
  const scheme = window.location.protocol === 'https:' ? 'wss' : 'ws'
  return `${scheme}://${window.location.host}/api/ws/gateway?token=${encodeURIComponent(ticket)}`
}

const LinkContext = createContext<LinkState>('connecting')

/** The state of the realtime link, as shown by the lantern. */
export const useLinkState = (): LinkState => useContext(LinkContext)

/**
 * One realtime link for all tabs, or for this page if tabs cannot communicate; its events are applied to the query
 * cache.
 */
export const RealtimeProvider = ({ children }: { children: ReactNode }) => {
  const client = useQueryClient()
  const [shown, setShown] = useState<LinkState>('connecting')
  useEffect(() => {
    const tabs = browserTabs()
    const states = createStateBatch((words) => applyStates(client, words), nextFrame)
    const onMessage = (message: GatewayMessage) => {
      if (message.event === 'server.state.change') return states.add(message.data.sid, message.data.state)
      states.flush()
      return applyEvent(client, message)
    }
    const deps = {
      checkSession: () => checkSession(sessionDeps),
      address: gatewayAddress,
      open: openBrowserSocket,
      timers: browserTimers,
      random: Math.random,
      onMessage,
      onLogout: () => void logOut(),
      log: tellOfLostLink,
    }
    const link = tabs ? createSharedLink({ ...deps, ...tabs }) : createGatewayLink(deps)
    link.connect()
    const stopWatching = watchState(window, () => link.state(), setShown)
    const onVisible = () => {
      if (document.visibilityState === 'visible') link.wake()
    }
    document.addEventListener('visibilitychange', onVisible)
    window.addEventListener('online', onVisible)
    return () => {
      stopWatching()
      document.removeEventListener('visibilitychange', onVisible)
      window.removeEventListener('online', onVisible)
      link.close()
    }
  }, [client])
  return <LinkContext value={shown}>{children}</LinkContext>
}
