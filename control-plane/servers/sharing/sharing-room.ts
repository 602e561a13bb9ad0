import type { SharingRoom } from '#contracts/http/panel/collaborators.ts'
import type { Seats } from '#domain/servers/shares.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readShares } from './share-store.ts'

type Places = Pick<SharingRoom, 'limit' | 'tier' | 'next'>

/**
 * The context of use cases that count places. The rooms above the servers know the places that a person's tier gives.
 */
export type SharingContext = Context & {
  readonly placesOf: (sql: Sql, owner: { userId: string; nowMs: number }) => Promise<Places>
}

/**
 * The places of a server: as many as its owner's tier has now, whoever invites. A lower tier removes nobody; it only
 * leaves no place for one more.
 */
export async function readSeats(
  sql: Sql,
  { placesOf }: Pick<SharingContext, 'placesOf'>,
  { serverId, ownerId, nowMs }: { serverId: string; ownerId: string; nowMs: number },
): Promise<Seats & Places> {
  const places = await placesOf(sql, { userId: ownerId, nowMs })
  const people = await readShares(sql, serverId, nowMs)
  const shares = people.filter(({ state }) => state === 'active').length
  return { ...places, shares, invitations: people.length - shares }
}
