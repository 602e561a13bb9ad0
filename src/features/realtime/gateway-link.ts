import { GatewayMessage, PING_SECONDS } from '#contracts/gateway/events.ts'
import { planReconnect } from './reconnect.ts'
import type { CloseFacts } from './reconnect.ts'
import { parseJson } from './socket.ts'
import type { LinkSocket, OpenSocket, Timers } from './socket.ts'

export type LinkState = 'connecting' | 'connected' | 'closed'

export type GatewayLinkDeps = {
  /** Is the session still good? `abort` means that it is over and the reader is on the way to the login page. */
  checkSession: () => Promise<'go' | 'abort'>
  /** The socket's address with a fresh ticket in it. */
  address: () => Promise<string>
  open: OpenSocket
  timers: Timers
  onMessage: (message: GatewayMessage) => void
  onLogout: () => void
  log: (text: string) => void
}

export type GatewayLink = {
  state: () => LinkState
  connect: () => void
  /** The page is visible again: a link that is down connects at once. */
  wake: () => void
  close: () => void
}

// Two missed pings and a little: a socket that is silent for longer is dead although nobody closed it.
const silentAfterMs = (2 * PING_SECONDS + 5) * 1_000
const broken: CloseFacts = { code: 1006, wasClean: false }

/**
 * The realtime link of specification section 4 without a browser in it: connecting, connected, closed; back-off, ping and
 * pong, and the close codes that end it.
 */
export const createGatewayLink = (deps: GatewayLinkDeps): GatewayLink => {
  let state: LinkState = 'closed'
  let attempts = 0
  // Answers that belong to an older attempt are told apart by its number.
  let era = 0
  let ended = false
  let hasOpened = false
  let socket: LinkSocket | null = null
  let retryTimer: number | null = null
  let silenceTimer: number | null = null

  const clear = (timer: number | null) => {
    if (timer !== null) deps.timers.clear(timer)
    return null
  }
  const drop = () => {
    era += 1
    retryTimer = clear(retryTimer)
    silenceTimer = clear(silenceTimer)
    const old = socket
    socket = null
    old?.close()
  }

  const afterClose = (close: CloseFacts) => {
    drop()
    const plan = planReconnect(close, attempts)
    if (plan.kind === 'wait') {
      state = 'connecting'
      attempts = plan.attempt
      retryTimer = deps.timers.set(() => void attempt(), plan.delayMs)
      return
    }
    state = 'closed'
    attempts = 0
    if (plan.kind === 'giveUp') deps.log('The realtime link did not come back; the page should be refreshed.')
  }

  const watchSilence = () => {
    silenceTimer = clear(silenceTimer)
    silenceTimer = deps.timers.set(() => afterClose(broken), silentAfterMs)
  }

  const receive = (text: string) => {
    watchSilence()
    const parsed = GatewayMessage.safeParse(parseJson(text))
    if (!parsed.success) return
    if (parsed.data.event === 'ping') {
      socket?.send(JSON.stringify({ event: 'pong' }))
      return
    }
    if (parsed.data.event === 'logout') {
      close()
      deps.onLogout()
      return
    }
    deps.onMessage(parsed.data)
  }

  const attempt = async () => {
    drop()
    const mine = era
    state = 'connecting'
    if ((await deps.checkSession()) === 'abort') {
      if (mine === era) close()
      return
    }
    let address: string
    try {
      address = await deps.address()
    } catch {
      if (mine === era) afterClose(broken)
      return
    }
    if (mine !== era) return
    socket = deps.open(address, {
      onOpen: () => {
        if (mine !== era) return
        state = 'connected'
        attempts = 0
        watchSilence()
        // What happened while the link was down was not heard: the page reads again.
        if (hasOpened) deps.onMessage({ event: 'resync', data: {} })
        hasOpened = true
      },
      onMessage: (text) => {
        if (mine === era) receive(text)
      },
      onClose: (facts) => {
        if (mine === era) afterClose(facts)
      },
    })
  }

  const close = () => {
    ended = true
    drop()
    state = 'closed'
  }

  return {
    state: () => state,
    connect: () => {
      ended = false
      attempts = 0
      void attempt()
    },
    wake: () => {
      const isUnderWay = state === 'connecting' && retryTimer === null
      if (ended || state === 'connected' || isUnderWay) return
      attempts = 0
      void attempt()
    },
    close,
  }
}
