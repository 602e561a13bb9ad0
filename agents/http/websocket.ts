import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { OVERLOAD } from '#contracts/overload.ts'
import { chosenProtocol } from '#contracts/socket-proof.ts'

/** The small socket type of panel sessions; the only contact with ws in the HTTP part. */
export interface PanelSocket {
  isOpen(): boolean
  bufferedBytes(): number
  send(text: string): void
  /** UTF-8 text that several sockets share. */
  sendText(text: Buffer, sent: () => void): void
  close(code: number, reason: string): void
  ping(): void
  drop(): void
}

export interface PanelSocketListener {
  received(text: string): void
  /** Whether to answer the ping. */
  pinged(): boolean
  ponged(): void
  closed(): void
}

export type Upgrade = (
  handshake: { readonly request: IncomingMessage; readonly stream: Duplex; readonly head: Buffer },
  accept: (socket: PanelSocket) => PanelSocketListener,
) => void

const wrap = (socket: WebSocket): PanelSocket => ({
  isOpen: () => socket.readyState === socket.OPEN,
  bufferedBytes: () => socket.bufferedAmount,
  send: (text) => {
    if (socket.readyState === socket.OPEN) socket.send(text)
  },
  sendText: (text, sent) => {
    if (socket.readyState === socket.OPEN) socket.send(text, { binary: false }, () => sent())
  },
  close: (code, reason) => socket.close(code, reason),
  ping: () => socket.ping(),
  drop: () => socket.terminate(),
})

/** A message of 4 KiB needs one frame; a client that sends tiny fragments is not a browser. */
const MAX_FRAGMENTS = 16
const MAX_CHUNKS = 1_024

/** A client that does not answer a close frame keeps its connection no longer than this; the types lack the option. */
const CLOSING = { closeTimeout: OVERLOAD.refusedForMs }

/** Accepts WebSockets without compression (a compressed frame could unpack to any size) and with bounded frames. */
export const createUpgrade = (maxFrameBytes: number): Upgrade => {
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    autoPong: false,
    maxFragments: MAX_FRAGMENTS,
    maxBufferedChunks: MAX_CHUNKS,
    maxPayload: maxFrameBytes,
    handleProtocols: chosenProtocol,
    ...CLOSING,
    clientTracking: false,
  })
  return ({ request, stream, head }, accept) => {
    server.handleUpgrade(request, stream, head, (socket) => {
      const listener = accept(wrap(socket))
      socket.on('message', (data, isBinary) => listener.received(isBinary ? '' : data.toString()))
      socket.on('ping', (data) => {
        if (listener.pinged() && socket.readyState === socket.OPEN) socket.pong(data)
      })
      socket.on('pong', () => listener.ponged())
      // A malformed or oversized frame ends the socket with its own code; 'close' follows.
      socket.on('error', () => {})
      socket.on('close', () => listener.closed())
    })
  }
}
