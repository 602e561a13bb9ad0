import { WebSocket } from 'ws'

import { PanelServerMessage } from '../../src/contracts/panel/messages.ts'
import { protocolsWith } from '../../src/contracts/socket-proof.ts'
import { SERVER_ID } from '../factories/server-spec.ts'
import { SITE_ORIGIN } from './control-plane-stand-in.ts'
import { NeverComes, waitFor } from './wait-for.ts'

/** A browser's side of the per-server socket, with every message it received. */
export class PanelClient {
  readonly messages: PanelServerMessage[] = []
  readonly lines: { seq: number; stream: string; text: string }[] = []
  droppedLines = 0
  closeCode: number | undefined
  closeReason: string | undefined
  handshake: number | undefined
  retryAfter: string | undefined
  readonly #connect: () => WebSocket
  #socket: WebSocket

  constructor(
    port: number,
    options: {
      host?: string
      origin?: string
      serverId?: string
      headers?: Record<string, string>
      /** The token that the handshake carries as a subprotocol, as a page's does. */
      proof?: string
      /** The client's own address, one of 127.0.0.0/8. */
      from?: string
      /** For TLS: the trusted authority, and the name that the node must have. */
      tls?: { ca: string; servername: string }
    } = {},
  ) {
    const url = `${options.tls === undefined ? 'ws' : 'wss'}://${options.host ?? '127.0.0.1'}:${port}/servers/${options.serverId ?? SERVER_ID}/ws`
    const origin = options.origin ?? SITE_ORIGIN
    const { headers = {}, from, proof } = options
    const own = { headers, ...(from === undefined ? {} : { localAddress: from }) }
    const settings = { ...(origin === '' ? {} : { origin }), ...own, ...options.tls, perMessageDeflate: false }
    this.#connect = () => this.#follow(new WebSocket(url, proof === undefined ? [] : protocolsWith(proof), settings))
    this.#socket = this.#connect()
  }

  #follow(socket: WebSocket): WebSocket {
    socket.on('error', () => {})
    socket.on('unexpected-response', (_request, response) => {
      this.handshake = response.statusCode
      this.retryAfter = response.headers['retry-after']
      socket.terminate()
    })
    socket.on('open', () => {
      this.handshake = 101
    })
    socket.on('close', (code, reason) => {
      this.closeCode = code
      this.closeReason = String(reason)
    })
    socket.on('message', (data) => this.#take(PanelServerMessage.parse(JSON.parse(String(data)))))
    return socket
  }

  /** The status of the handshake. */
  async answered(): Promise<number> {
    return waitFor('the answer to the handshake', () => this.handshake)
  }

  async opened(): Promise<void> {
    await waitFor('the socket to open', () => this.handshake === 101)
  }

  send(event: string, args: unknown[] = []): void {
    this.#socket.send(JSON.stringify({ event, args }))
  }

  raw(text: string): void {
    this.#socket.send(text)
  }

  close(): void {
    this.#socket.close()
  }

  /** Stops reading from the network, like a busy browser. */
  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  /** A machine that stands still for seconds lets the node's time for the first message pass: then again, as a page does, and twice at most. */
  async authenticate(token: string, afterSeq?: number): Promise<void> {
    let refused = 0
    await waitFor('the socket to be let in', async () => {
      await this.opened()
      this.send('auth', afterSeq === undefined ? [token] : [token, afterSeq])
      await waitFor('the answer', () => this.has('auth success') || this.closeCode !== undefined)
      if (this.has('auth success')) return true
      refused += 1
      if (this.closeReason !== 'no auth' || refused > 2)
        throw new NeverComes(`It was closed: ${this.closeCode} ${this.closeReason}`)
      this.handshake = undefined
      this.closeCode = undefined
      this.closeReason = undefined
      this.#socket = this.#connect()
      return false
    })
  }

  has(event: PanelServerMessage['event']): boolean {
    return this.messages.some((message) => message.event === event)
  }

  says(text: string): boolean {
    return this.lines.some((line) => line.text === text)
  }

  async closed(): Promise<number> {
    return waitFor('the socket to close', () => this.closeCode)
  }

  #take(message: PanelServerMessage): void {
    this.messages.push(message)
    if (message.event === 'dropped') this.droppedLines += message.args[0]
    if (message.event !== 'console output') return
    for (const [seq, , stream, text] of message.args[0]) this.lines.push({ seq, stream, text })
  }
}
