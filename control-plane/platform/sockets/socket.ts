/** A connection as a session sees it. The door to the library is `websocket.ts`; tests give a pair in memory. */
export interface Socket {
  /** The client's address as the trusted proxies tell it. */
  readonly address: string
  send(text: string): void
  /** Bytes that wait because the reader is slow. */
  readonly bufferedBytes: number
  close(code: number, reason: string): void
  /** Ends the connection at once, without a closing handshake. */
  terminate(): void
  /** Stops and goes on reading from the network, so that a fast sender is slowed down. */
  pause(): void
  resume(): void
  onMessage(listener: (text: string) => void): void
  /** Any sign of life below our messages. */
  onPong(listener: () => void): void
  ping(): void
  onClose(listener: (code: number) => void): void
}

/** The facts about a client before its handshake is answered. The query never reaches a log. */
export type UpgradeRequest = {
  readonly path: string
  readonly query: URLSearchParams
  readonly origin: string | undefined
  readonly address: string
}

export type UpgradeAnswer =
  /** `abandoned` is called instead of `accept` when the client went away before its handshake was answered. */
  | { readonly accept: (socket: Socket) => void; readonly abandoned?: () => void }
  /** The HTTP status that refuses the handshake. */
  | { readonly refuse: 400 | 403 | 404 | 429 | 503; readonly reason: string }

export type UpgradeRoute = {
  readonly maxFrameBytes: number
  readonly answer: (request: UpgradeRequest) => Promise<UpgradeAnswer>
}
