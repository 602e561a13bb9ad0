import type { GatewayMessage } from '#contracts/gateway/events.ts'
import { GatewayTicketAnswer } from '#contracts/http/auth.ts'
import { api, goToLogin, logOut, sessionStatus } from '@/lib/browser-client/browser-client.ts'
import { checkSession } from './check-session.ts'
import { createGatewayLink } from './gateway-link.ts'
import type { GatewayLink } from './gateway-link.ts'
import { tellOfLostLink } from './lost-link.ts'
import { createSharedLink } from './shared-link.ts'
import { browserTimers, openBrowserSocket } from './socket.ts'
import { browserTabs } from './tab-channel.ts'

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

/** One realtime link for all tabs, or for this page if tabs cannot communicate. Returns the link, and what closes it. */
export const openLink = (onMessage: (message: GatewayMessage) => void): { link: GatewayLink; close: () => void } => {
  const tabs = browserTabs()
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
  const onVisible = () => {
    if (document.visibilityState === 'visible') link.wake()
  }
  document.addEventListener('visibilitychange', onVisible)
  window.addEventListener('online', onVisible)
  return {
    link,
    close: () => {
      document.removeEventListener('visibilitychange', onVisible)
      window.removeEventListener('online', onVisible)
      link.close()
    },
  }
}
