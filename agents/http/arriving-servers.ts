import type { Duplex } from 'node:stream'
import { OVERLOAD } from '#contracts/overload.ts'
import type { Timers } from '../platform/timers.ts'
import type { Arrival } from './door-places.ts'

const LOOK_AGAIN_MS = 200

/**
 * Handshakes for servers that the node does not know yet: a browser may connect before the command with its new server
 * arrives. Those with proof have places of their own.
 */
export class ArrivingServers<Server> {
  readonly #find: (serverId: string) => Server | undefined
  readonly #timers: Timers
  readonly #waiting = new Map<Duplex, Arrival>()

  constructor(deps: { readonly timers: Timers; find(serverId: string): Server | undefined }) {
    this.#find = (serverId) => deps.find(serverId)
    this.#timers = deps.timers
  }

  /** Calls back with the server, or with undefined when the time is up; at once if there is no place to wait. */
  await(
    serverId: string,
    { stream, arrival }: { readonly stream: Duplex; readonly arrival: Arrival },
    settled: (server: Server | undefined) => void,
  ): void {
    if (!this.#hasRoomFor(arrival)) return settled(undefined)
    this.#waiting.set(stream, arrival)
    const stop = (): void => {
      cancelLook()
      cancelEnd()
      stream.off('close', stop)
      stream.off('error', stop)
      this.#waiting.delete(stream)
    }
    const cancelLook = this.#timers.every(LOOK_AGAIN_MS, () => {
      const server = this.#find(serverId)
      if (server === undefined) return
      stop()
      settled(server)
    })
    const cancelEnd = this.#timers.after(OVERLOAD.agent.arriving.waitMs, () => {
      stop()
      settled(undefined)
    })
    stream.on('close', stop)
    stream.on('error', stop)
    return undefined
  }

  #hasRoomFor({ address, userId }: Arrival): boolean {
    const { all, perUser, unproven, unprovenPerAddress } = OVERLOAD.agent.arriving
    const waiting = [...this.#waiting.values()]
    if (userId !== undefined)
      return waiting.length < all && waiting.filter((other) => other.userId === userId).length < perUser
    const others = waiting.filter((other) => other.userId === undefined)
    return others.length < unproven && others.filter((other) => other.address === address).length < unprovenPerAddress
  }
}
