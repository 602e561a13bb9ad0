import type { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addressKey } from './address-key.ts'

export type ConnectionFigures = {
  readonly all: number
  readonly perAddress: number
  /** Connections beyond the share that are kept long enough to be refused in words; further ones are cut. */
  readonly refusedPerAddress: number
}

type Endpoint = { readonly remoteAddress?: string | undefined; readonly remotePort?: number | undefined }

// A TLS socket is another object than the connection below it, with the same endpoint.
const endpointOf = ({ remoteAddress, remotePort }: Endpoint): string => `${remoteAddress} ${remotePort}`

/**
 * Divides the connections of a listener among addresses. They count from their start, so that half-open ones and bodies
 * that never end count too. When all are taken, the address with the most loses its oldest one to an address with fewer.
 */
export class ConnectionShares {
  readonly #figures: ConnectionFigures
  readonly #isExempt: (address: string) => boolean
  readonly #byAddress = new Map<string, Set<Socket>>()
  readonly #over = new Set<string>()
  #count = 0

  /** `isExempt`: peers that speak for many others, as trusted proxies do. */
  constructor(figures: ConnectionFigures, isExempt: (address: string) => boolean = () => false) {
    this.#figures = figures
    this.#isExempt = isExempt
  }

  get count(): number {
    return this.#count
  }

  watch(server: EventEmitter): void {
    server.on('connection', (socket: Socket) => this.#add(socket))
  }

  /** Whether the requests of this connection are to be refused. */
  isOver(connection: Endpoint): boolean {
    return this.#over.has(endpointOf(connection))
  }

  #add(socket: Socket): void {
    const { remoteAddress = '' } = socket
    if (this.#isExempt(remoteAddress)) return
    const { all, perAddress, refusedPerAddress } = this.#figures
    const address = addressKey(remoteAddress)
    const present = this.#byAddress.get(address) ?? new Set()
    if (present.size >= perAddress + refusedPerAddress) {
      socket.destroy()
      return
    }
    const endpoint = endpointOf(socket)
    if (present.size >= perAddress || (this.#count >= all && !this.#makeRoomFor(present.size))) this.#over.add(endpoint)
    this.#byAddress.set(address, present.add(socket))
    this.#count += 1
    socket.once('close', () => {
      this.#over.delete(endpoint)
      this.#forget(address, socket)
    })
  }

  #forget(address: string, socket: Socket): void {
    const sockets = this.#byAddress.get(address)
    if (!sockets?.delete(socket)) return
    this.#count -= 1
    if (sockets.size === 0) this.#byAddress.delete(address)
  }

  /**
   * Cuts the oldest connection of the address with the most; false if nobody has more than the newcomer would. It no
   * longer counts, though it closes later: of a burst of newcomers, each makes room for itself.
   */
  #makeRoomFor(present: number): boolean {
    let [address, most] = ['', new Set<Socket>()]
    for (const [other, sockets] of this.#byAddress) if (sockets.size > most.size) [address, most] = [other, sockets]
    const [oldest] = most
    if (oldest === undefined || most.size <= present + 1) return false
    this.#forget(address, oldest)
    oldest.destroy()
    return true
  }
}

/** The response to a request that has to come again later. */
export const answerBusy = (response: ServerResponse, retryAfterSeconds: number): void => {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
  response.writeHead(503, { ...headers, 'retry-after': String(retryAfterSeconds), connection: 'close' })
  response.end(JSON.stringify({ error: { code: 'BUSY', message: 'Too busy. Try again in a moment.' } }))
}
