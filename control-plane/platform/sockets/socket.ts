/** A session's view of a connection. `websocket.ts` is the door to the library; tests use an in-memory pair. */
export interface Socket {
  /** The client's address as determined through the trusted proxies. */
  readonly address: string
  send(text: string): void
  /** Bytes buffered for a slow reader. */
  readonly bufferedBytes: number
  close(code: number, reason: string): void
  /** Ends the connection at once, without a close handshake. */
  terminate(): void
  /** Pauses and resumes reading from the network, so that a fast sender is slowed down. */
  pause(): void
  resume(): void
  onMessage(listener: (text: string) => void): void
  /** Any sign of life below the message level. */
  onPong(listener: () => void): void
  ping(): void
  onClose(listener: (code: number) => void): void
}

/** The facts about a client before its handshake is answered. The query is never logged. */
export type UpgradeRequest = {
  readonly path: string
  readonly query: URLSearchParams
  readonly origin: string | undefined
  /** The token or ticket that the handshake carries outside its query; unchecked. */
  readonly proof?: string | undefined
  readonly address: string
}

export type UpgradeAnswer =
  /** `abandoned` is called instead of `accept` when the client disconnected before its handshake was answered. */
  | { readonly accept: (socket: Socket) => void; readonly abandoned?: () => void }
  /** The HTTP status that refuses the handshake. */
  | { readonly refuse: 400 | 401 | 403 | 404 | 429 | 503; readonly reason: string }

export type UpgradeRoute = {
  readonly maxFrameBytes: number
  readonly answer: (request: UpgradeRequest) => Promise<UpgradeAnswer>
}
