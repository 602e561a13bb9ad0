import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

import { SITE_ORIGIN } from './control-plane-stand-in.ts'
import { waitFor } from './wait-for.ts'

/** Text frames up to 64 KiB, masked as a client masks them; the opcode tells text (1), continuation (0), ping (9)... */
export const frameOf = (
  payload: Buffer | string,
  options: { opcode?: number; fin?: boolean; rsv?: number } = {},
): Buffer => {
  const bytes = Buffer.from(payload)
  const first = (options.fin === false ? 0 : 0x80) | (options.rsv ?? 0) | (options.opcode ?? 1)
  const head =
    bytes.length < 126
      ? Buffer.from([first, 0x80 | bytes.length])
      : Buffer.from([first, 0x80 | 126, bytes.length >> 8, bytes.length & 0xff])
  const mask = randomBytes(4)
  return Buffer.concat([head, mask, bytes.map((byte, index) => byte ^ (mask[index % 4] ?? 0))])
}

/** A raw per-server socket, for peers that do what no WebSocket library does. It never answers a close frame. */
export class RawPanelSocket {
  readonly #socket: Socket
  #received: Buffer = Buffer.alloc(0)
  isClosed = false
  onClosed: () => void = () => {}
  handshake: string | undefined

  constructor(
    port: number,
    serverId: string,
    headers: readonly string[] = [`Origin: ${SITE_ORIGIN}`],
    /** The client's own address, one of 127.0.0.0/8. */
    from = '127.0.0.1',
  ) {
    this.#socket = connect({ port, host: '127.0.0.1', localAddress: from })
    this.#socket.on('error', () => {})
    this.#socket.on('close', () => {
      this.isClosed = true
      this.onClosed()
    })
    this.#socket.on('data', (bytes) => {
      this.#received = Buffer.concat([this.#received, bytes])
      this.handshake ??=
        this.#received.toString('latin1').split('\r\n\r\n').length > 1 ? this.#received.toString('latin1') : undefined
    })
    const key = randomBytes(16).toString('base64')
    const fixed = [
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${key}`,
    ]
    this.#socket.write(
      [`GET /servers/${serverId}/ws HTTP/1.1`, 'Host: node', ...fixed, ...headers, '', ''].join('\r\n'),
    )
  }

  async opened(): Promise<void> {
    await waitFor('the handshake', () => this.handshake !== undefined)
  }

  write(...frames: Buffer[]): void {
    if (this.#socket.writable) this.#socket.write(Buffer.concat(frames))
  }

  event(event: string, args: unknown[]): void {
    this.write(frameOf(JSON.stringify({ event, args })))
  }

  /** The received bytes as on the wire: frames of a server are not masked. */
  get received(): string {
    return this.#received.toString('latin1')
  }

  /** The code of the received close frame, if any. */
  get farewell(): number | undefined {
    const at = this.#received.findIndex((byte, index) => byte === 0x88 && (this.#received[index + 1] ?? 0) < 126)
    return at < 0 || at + 4 > this.#received.length ? undefined : this.#received.readUInt16BE(at + 2)
  }

  async closed(): Promise<void> {
    await waitFor('the connection to end', () => this.isClosed)
  }

  destroy(): void {
    this.#socket.destroy()
  }
}
