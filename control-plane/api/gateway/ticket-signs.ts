import type { OwnTicketSign, RoutedEvent } from '#contracts/gateway/events.ts'
import type { TicketSign } from '#domain/tickets/ticket-sign.ts'
import { TokenBucket } from '#platform/token-bucket.ts'
import type { Context } from '../../platform/context.ts'
import type { EventBus } from '../../platform/event-bus.ts'
import { signDeliveries, type SignChange } from '../../tickets/ticket-signs.ts'

/** How many signs a person gives, over all their sockets here, and with how many tickets one socket is at work. */
export const SIGN_LIMITS = { signs: { rate: 2, seconds: 1, burst: 20 }, tickets: 20 } as const
/** So many ids of readers fit into one notification of the bus, which then stores nothing. */
const READERS_OF_EVENT = 100

type Deps = Pick<Context, 'db' | 'clock' | 'log'> & { bus: EventBus }
type Giver = { readonly reader: { readonly userId: string } }

/**
 * The signs of the people behind this gateway's sockets. They are kept in memory alone: pages repeat them, and a reader forgets a sign that is not
 * repeated (SPEC.md G10).
 */
export class TicketSigns {
  readonly #deps: Deps
  readonly #buckets = new Map<string, TokenBucket>()
  readonly #given = new Map<Giver, Map<string, TicketSign>>()
  /** One after another for each socket, so that an end never overtakes its sign. */
  readonly #turns = new Map<Giver, Promise<void>>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** A socket says what its person does. More than a person can do is not heard; an end always is. */
  give(giver: Giver, { ticketId, sign }: OwnTicketSign): void {
    const given = this.#given.get(giver) ?? new Map<string, TicketSign>()
    const before = given.get(ticketId) ?? null
    if (sign === 'ended') {
      given.delete(ticketId)
      if (given.size === 0) this.#given.delete(giver)
      if (before !== null) this.#tell(giver, { ticketId, before, now: null })
      return
    }
    if (before === null && given.size >= SIGN_LIMITS.tickets) return
    if (!this.#bucketOf(giver.reader.userId).take(this.#deps.clock.now())) return
    this.#given.set(giver, given.set(ticketId, sign))
    this.#tell(giver, { ticketId, before, now: sign })
  }

  /** A socket closed, and with it all that its person did there. `isLast` when they have no other one here. */
  forget(giver: Giver, isLast: boolean): void {
    for (const [ticketId, before] of this.#given.get(giver) ?? []) this.#tell(giver, { ticketId, before, now: null })
    this.#given.delete(giver)
    if (isLast) this.#buckets.delete(giver.reader.userId)
  }

  /** Once everything that was said has been passed on. */
  async settled(): Promise<void> {
    await Promise.all(this.#turns.values())
  }

  #bucketOf(userId: string): TokenBucket {
    const bucket = this.#buckets.get(userId) ?? new TokenBucket(SIGN_LIMITS.signs)
    this.#buckets.set(userId, bucket)
    return bucket
  }

  #tell(giver: Giver, change: Omit<SignChange, 'userId'>): void {
    const turn = (this.#turns.get(giver) ?? Promise.resolve())
      .then(() => this.#publish({ userId: giver.reader.userId, ...change }))
      .catch((error: unknown) => this.#deps.log.warn({ reason: String(error) }, 'a sign of a ticket was not passed on'))
      .finally(() => {
        if (this.#turns.get(giver) === turn) this.#turns.delete(giver)
      })
    this.#turns.set(giver, turn)
  }

  async #publish(change: SignChange): Promise<void> {
    const deliveries = await signDeliveries(this.#deps.db, change)
    const events = deliveries.flatMap(({ userIds, data }) =>
      Array.from({ length: Math.ceil(userIds.length / READERS_OF_EVENT) }, (_, at): RoutedEvent => ({
        userIds: userIds.slice(at * READERS_OF_EVENT, (at + 1) * READERS_OF_EVENT),
        message: { event: 'ticket.sign', data },
      })),
    )
    if (events.length > 0) await this.#deps.bus.publish(...events.map((data) => ({ topic: 'browser-event', data })))
  }
}
