import { WebSocket } from 'ws'
import { OVERLOAD } from '#contracts/overload.ts'

/** The connection's own small socket type; the only contact with ws. */
export interface OutgoingSocket {
  send(text: string): void
  close(code: number, reason: string): void
  /** Drops the connection without a close handshake, for a silent peer. */
  drop(): void
}

export interface OutgoingListener {
  opened(): void
  received(text: string): void
  closed(code: number, reason: string): void
}

export type Connect = (
  url: string,
  listener: OutgoingListener,
  headers?: Readonly<Record<string, string>>,
) => OutgoingSocket

/** A control plane that does not answer a close frame is left after this time; the types lack the option. */
const CLOSING = { closeTimeout: OVERLOAD.refusedForMs }
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024

/** Opens a WebSocket without compression. Failures, also of the handshake, arrive as the listener's `closed`. */
export const connectWebSocket: Connect = (url, listener, headers = {}) => {
  const socket = new WebSocket(url, {
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    handshakeTimeout: 10_000,
    followRedirects: false,
    ...CLOSING,
    headers: { ...headers },
  })
  socket.on('open', () => listener.opened())
  socket.on('message', (data, isBinary) => {
    if (!isBinary) listener.received(data.toString())
  })
  // 'close' follows every error with all details.
  socket.on('error', () => {})
  socket.on('close', (code, reason) => listener.closed(code, reason.toString()))
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text)
    },
    close: (code, reason) => socket.close(code, reason),
    drop: () => socket.terminate(),
  }
}
