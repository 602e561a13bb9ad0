import { OVERLOAD } from '#contracts/overload.ts'

/** A client at the handshake: its address, and the user of its token if it proved itself. */
export interface Arrival {
  readonly address: string
  readonly userId: string | undefined
}

interface Held extends Arrival {
  isSilent: boolean
}

/**
 * The places of the per-server sockets (security case 137). Sockets that come with proof share by address and user.
 * Sockets without it, as older pages open them, have a small number of places of their own until they authenticate: a
 * flood of them takes no place from anybody with a token.
 */
export class DoorPlaces<Holder> {
  readonly #held = new Map<Holder, Held>()

  get size(): number {
    return this.#held.size
  }

  holders(): IterableIterator<Holder> {
    return this.#held.keys()
  }

  hasRoomFor({ address, userId }: Arrival): boolean {
    const { perAddress, silentPerUser, unproven, unprovenPerAddress } = OVERLOAD.agent.sockets
    const isUnproven = (held: Held): boolean => held.isSilent && held.userId === undefined
    if (this.#count((held) => held.address === address && !isUnproven(held)) >= perAddress) return false
    if (userId !== undefined) return this.#count((held) => held.isSilent && held.userId === userId) < silentPerUser
    if (this.#count(isUnproven) >= unproven) return false
    return this.#count((held) => held.address === address && isUnproven(held)) < unprovenPerAddress
  }

  take(holder: Holder, arrival: Arrival): void {
    this.#held.set(holder, { ...arrival, isSilent: true })
  }

  /** It has authenticated. */
  spoke(holder: Holder): void {
    const held = this.#held.get(holder)
    if (held !== undefined) held.isSilent = false
  }

  leave(holder: Holder): void {
    this.#held.delete(holder)
  }

  #count(matches: (held: Held) => boolean): number {
    let count = 0
    for (const held of this.#held.values()) if (matches(held)) count += 1
    return count
  }
}
