import type { OwnTicketSign, TicketSignOf } from '#contracts/gateway/events.ts'
import { SIGN_LASTS_MS, type TicketSign } from '#domain/tickets/ticket-sign.ts'
import { browserTimers } from './socket.ts'
import type { Timers } from './socket.ts'

/** Somebody else at work on a ticket. `by` is null for support, as customers read it. */
export type SeenSign = { readonly by: TicketSignOf['by']; readonly sign: TicketSign }

const nobody: readonly SeenSign[] = []

/**
 * The acts of others in tickets, until they end them or do not repeat them; and the call by which this page reports
 * those of its person.
 */
export class TicketSigns {
  readonly #timers: Timers
  readonly #seen = new Map<string, readonly SeenSign[]>()
  readonly #ends = new Map<string, number>()
  readonly #watchers = new Set<() => void>()
  #send: ((sign: OwnTicketSign) => void) | null = null

  constructor(timers: Timers) {
    this.#timers = timers
  }

  /** Uses a link until the returned function is called. */
  use(send: (sign: OwnTicketSign) => void): () => void {
    this.#send = send
    return () => {
      if (this.#send === send) this.#send = null
    }
  }

  say(sign: OwnTicketSign): void {
    this.#send?.(sign)
  }

  hear({ ticketId, sign, by }: TicketSignOf): void {
    const key = `${ticketId} ${by?.id ?? ''}`
    const timer = this.#ends.get(key)
    if (timer !== undefined) this.#timers.clear(timer)
    this.#ends.delete(key)
    const others = this.of(ticketId).filter((seen) => seen.by?.id !== by?.id)
    if (sign === 'ended') return this.#set(ticketId, others)
    this.#ends.set(
      key,
      this.#timers.set(() => this.hear({ ticketId, sign: 'ended', by }), SIGN_LASTS_MS),
    )
    const known = this.of(ticketId).find((seen) => seen.by?.id === by?.id)
    // A repetition changes nothing on the page.
    if (known?.sign !== sign) this.#set(ticketId, [...others, { by, sign }])
  }

  of(ticketId: string): readonly SeenSign[] {
    return this.#seen.get(ticketId) ?? nobody
  }

  watch(onChange: () => void): () => void {
    this.#watchers.add(onChange)
    return () => void this.#watchers.delete(onChange)
  }

  #set(ticketId: string, seen: readonly SeenSign[]): void {
    if (seen.length === 0) this.#seen.delete(ticketId)
    else this.#seen.set(ticketId, seen)
    for (const onChange of this.#watchers) onChange()
  }
}

/** The signs of this page. */
export const ticketSigns = new TicketSigns(browserTimers)
