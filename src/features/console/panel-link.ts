import type { ConsoleAccess } from '#contracts/http/server.ts'
import { PanelServerMessage } from '#contracts/panel/messages.ts'
import type { PanelClientMessage } from '#contracts/panel/messages.ts'
import { planReconnect } from '@/features/realtime/reconnect.ts'
import type { CloseFacts } from '@/features/realtime/reconnect.ts'
import { parseJson } from '@/features/realtime/socket.ts'
import type { LinkSocket, OpenSocket, SocketHandlers, Timers } from '@/features/realtime/socket.ts'
import { ApiFailure } from '@/lib/api-client/failure.ts'

/** Why there is no console: the words of the connection dialog. */
export type PanelTrouble = 'connection' | 'maintenance' | 'invalid' | 'forbidden' | 'ended'
export type PanelLinkState =
  | { kind: 'connecting' }
  | { kind: 'live' }
  /** It will try again by itself. */
  | { kind: 'waiting'; trouble: PanelTrouble; attempt: number }
  /** The last attempt failed; only the page can begin again. */
  | { kind: 'failed' }
  /** The other side said no, and asking again would not change it. */
  | { kind: 'refused'; trouble: PanelTrouble }

export type PanelLinkDeps = {
  access: () => Promise<ConsoleAccess>
  /** The page's own address: an empty or relative url of a computer is read from it. */
  pageAddress: string
  open: OpenSocket
  timers: Timers
  /** The number of the last line that the page holds; 0 when it holds none. */
  lastSeq: () => number
  onMessage: (message: PanelServerMessage) => void
  onState: (state: PanelLinkState) => void
}
export type PanelLink = {
  connect: () => void
  wake: () => void
  close: () => void
  /** False when it could not be handed to a live socket: nothing is queued. */
  send: (message: PanelClientMessage) => boolean
}

const broken: CloseFacts = { code: 1006, wasClean: false }
const ourCodes: Readonly<Record<number, PanelTrouble>> = {
  4401: 'ended',
  4403: 'forbidden',
  4404: 'invalid',
  4409: 'forbidden',
  4410: 'ended',
}

/** The socket's address: the computer's url with the path of the server on it, as ws or wss. An empty url is the page's. */
export const socketAddress = (access: Pick<ConsoleAccess, 'url' | 'socket'>, page: string): string => {
  const address = new URL(access.url === '' ? '/' : access.url, page)
  address.pathname = `${address.pathname.replace(/\/$/, '')}/${access.socket.replace(/^\//, '')}`
  address.search = ''
  address.protocol = address.protocol === 'https:' || address.protocol === 'wss:' ? 'wss:' : 'ws:'
  return address.href
}

/** What a failed request for a token means. `final`: asking again would not change the answer. */
export const troubleOf = (failure: unknown): { trouble: PanelTrouble; final: boolean } => {
  if (!(failure instanceof ApiFailure)) return { trouble: 'connection', final: false }
  if (failure.status === 404 || failure.code === 'VALIDATION' || failure.code === 'BAD_REQUEST') {
    return { trouble: 'invalid', final: true }
  }
  if (failure.status === 403) return { trouble: 'forbidden', final: true }
  if (failure.status === 401) return { trouble: 'ended', final: true }
  if (failure.code === 'NODE_UNREACHABLE') return { trouble: 'maintenance', final: false }
  return { trouble: 'connection', final: false }
}

/** The per-server link (SPEC.md section P): authenticates, resumes after the last line, renews its token, backs off. */
export const createPanelLink = (deps: PanelLinkDeps): PanelLink => {
  let attempts = 0
  let era = 0
  let isLive = false
  let isDown = true
  let socket: LinkSocket | null = null
  let timer: number | null = null

  const drop = () => {
    era += 1
    if (timer !== null) deps.timers.clear(timer)
    timer = null
    isLive = false
    const old = socket
    socket = null
    old?.close()
  }

  const retryAfter = (close: CloseFacts, trouble: PanelTrouble) => {
    drop()
    isDown = true
    const plan = planReconnect(close, attempts)
    if (plan.kind === 'stop') return deps.onState({ kind: 'refused', trouble: ourCodes[close.code] ?? trouble })
    if (plan.kind === 'giveUp') return deps.onState({ kind: 'failed' })
    attempts = plan.attempt
    deps.onState({ kind: 'waiting', trouble, attempt: plan.attempt })
    timer = deps.timers.set(() => void attempt(), plan.delayMs)
  }

  const authenticate = (token: string) => {
    const lastSeq = deps.lastSeq()
    const message: PanelClientMessage = { event: 'auth', args: lastSeq > 0 ? [token, lastSeq] : [token] }
    socket?.send(JSON.stringify(message))
  }

  const renew = async (mine: number) => {
    try {
      const { token } = await deps.access()
      if (mine === era) authenticate(token)
    } catch {
      // The old token is good for a while; the socket's end brings the next attempt.
    }
  }

  const receive = (text: string, mine: number) => {
    const parsed = PanelServerMessage.safeParse(parseJson(text))
    if (!parsed.success) return
    const message = parsed.data
    if (message.event === 'auth success') {
      attempts = 0
      isLive = true
      deps.onState({ kind: 'live' })
    }
    if (message.event === 'token expiring' || message.event === 'token expired') void renew(mine)
    deps.onMessage(message)
  }

  const attempt = async () => {
    drop()
    isDown = false
    const mine = era
    if (attempts === 0) deps.onState({ kind: 'connecting' })
    let access: ConsoleAccess
    try {
      access = await deps.access()
    } catch (failure) {
      if (mine !== era) return
      const { trouble, final } = troubleOf(failure)
      if (!final) return retryAfter(broken, trouble)
      drop()
      isDown = true
      return deps.onState({ kind: 'refused', trouble })
    }
    if (mine !== era) return
    openSocket(access, mine)
  }

  const openSocket = (access: ConsoleAccess, mine: number) => {
    const handlers: SocketHandlers = {
      onOpen: () => {
        if (mine === era) authenticate(access.token)
      },
      onMessage: (text) => {
        if (mine === era) receive(text, mine)
      },
      onClose: (close) => {
        if (mine === era) retryAfter(close, 'connection')
      },
    }
    try {
      socket = deps.open(socketAddress(access, deps.pageAddress), handlers)
    } catch {
      // The computer's url is not one that this page may open.
      retryAfter(broken, 'connection')
    }
  }

  return {
    connect: () => {
      attempts = 0
      void attempt()
    },
    wake: () => {
      if (!isDown) return
      attempts = 0
      void attempt()
    },
    close: () => {
      drop()
      isDown = false
    },
    send: (message) => {
      if (!isLive || !socket) return false
      socket.send(JSON.stringify(message))
      return true
    },
  }
}
