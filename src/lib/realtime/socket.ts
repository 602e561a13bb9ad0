import type { CloseFacts } from './reconnect.ts'

/** The links' view of a socket. Handlers are passed when it is opened, so that no event can be missed. */
export type LinkSocket = { send: (text: string) => void; close: () => void }
export type SocketHandlers = {
  onOpen: () => void
  onMessage: (text: string) => void
  onClose: (close: CloseFacts) => void
}
/** `protocols` are the subprotocols to offer; one of them may carry proof (contracts/socket-proof.ts). */
export type OpenSocket = (address: string, handlers: SocketHandlers, protocols?: string[]) => LinkSocket

export type Timers = {
  set: (run: () => void, delayMs: number) => number
  clear: (timer: number) => void
}

export const browserTimers: Timers = {
  set: (run, delayMs) => window.setTimeout(run, delayMs),
  clear: (timer) => window.clearTimeout(timer),
}

export const openBrowserSocket: OpenSocket = (address, handlers, protocols = []) => {
  const socket = new WebSocket(address, protocols)
  socket.onopen = () => handlers.onOpen()
  socket.onmessage = (event: MessageEvent<unknown>) => {
    if (typeof event.data === 'string') handlers.onMessage(event.data)
  }
  socket.onclose = (event) => handlers.onClose({ code: event.code, wasClean: event.wasClean })
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text)
    },
    close: () => socket.close(1000),
  }
}

/** The value of a JSON text; `undefined` for invalid JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
