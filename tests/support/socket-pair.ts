import type { Socket } from '../../control-plane/platform/sockets/socket.ts'
import { waitFor } from './wait-for.ts'

/** The far end of an in-memory socket: the other program's or the browser's side. */
export type Peer<Message> = {
  /** Everything that arrived, parsed, oldest first. */
  readonly received: Message[]
  readonly closed: { code: number; reason: string } | undefined
  readonly terminated: boolean
  readonly paused: boolean
  send(message: unknown): void
  sendText(text: string): void
  pong(): void
  /** The network cut: the session sees a close without a reason. */
  cut(): void
  /** From now on no sent data is read. */
  stopReading(): void
  next(what: string, matches: (message: Message) => boolean): Promise<Message>
  untilClosed(): Promise<{ code: number; reason: string }>
}

/** A session's socket and its far end, without a network. Messages are delivered at once and in order. */
export function socketPair<Message>(address = '192.0.2.1'): { socket: Socket; peer: Peer<Message> } {
  const listeners = {
    message: [] as ((text: string) => void)[],
    pong: [] as (() => void)[],
    close: [] as ((code: number) => void)[],
  }
  const received: Message[] = []
  let closed: { code: number; reason: string } | undefined
  let terminated = false
  let paused = false
  let reading = true
  let buffered = 0
  const end = (code: number, reason: string) => {
    if (closed) return
    closed = { code, reason }
    for (const listener of listeners.close) listener(code)
  }
  const socket: Socket = {
    address,
    get bufferedBytes() {
      return buffered
    },
    send: (text) => {
      if (closed) return
      if (reading) received.push(JSON.parse(text) as Message)
      else buffered += Buffer.byteLength(text)
    },
    close: end,
    terminate: () => {
      terminated = true
      end(1006, '')
    },
    pause: () => (paused = true),
    resume: () => (paused = false),
    ping: () => {},
    onMessage: (listener) => void listeners.message.push(listener),
    onPong: (listener) => void listeners.pong.push(listener),
    onClose: (listener) => void listeners.close.push(listener),
  }
  const sendText = (text: string) => {
    if (closed) return
    for (const listener of listeners.message) listener(text)
  }
  const peer: Peer<Message> = {
    received,
    get closed() {
      return closed
    },
    get terminated() {
      return terminated
    },
    get paused() {
      return paused
    },
    send: (message) => sendText(JSON.stringify(message)),
    sendText,
    pong: () => listeners.pong.forEach((listener) => listener()),
    cut: () => end(1006, ''),
    stopReading: () => (reading = false),
    next: (what, matches) => waitFor(what, () => received.find(matches)),
    untilClosed: () => waitFor('the end of the socket', () => closed),
  }
  return { socket, peer }
}
