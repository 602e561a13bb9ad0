import type { Caller } from '#contracts/internal-api/calls.ts'
import type { Permission } from '#contracts/panel/permissions.ts'
import { systemIds } from '#platform/ids.ts'
import { sharingPlaces } from '../../control-plane/money/premium/sharing-places.ts'
import type { SharingContext } from '../../control-plane/servers/sharing/sharing-room.ts'
import { acceptInvitation, declineInvitation } from '../../control-plane/servers/sharing/answer-invitation.ts'
import { changeCollaborator } from '../../control-plane/servers/sharing/change-collaborator.ts'
import { endShares } from '../../control-plane/servers/sharing/end-shares.ts'
import { inviteCollaborator } from '../../control-plane/servers/sharing/invite-collaborator.ts'
import { listCollaborators, listInvitations, sharingRoom } from '../../control-plane/servers/sharing/list-people.ts'
import { removeCollaborator } from '../../control-plane/servers/sharing/remove-collaborator.ts'
import { addNode, addServer, makeReachable, type FleetNode } from './fleet.ts'
import { testContext, type PlatformDatabase } from './platform-database.ts'

export type SharedPerson = Caller & { readonly username: string; readonly email: string }
type Terms = { readonly permissions: readonly Permission[]; readonly endsAt?: string | null }

const requestId = 'req-1'

/** People and servers in a database, and what people do with the shares of a server. */
export class SharedServers {
  readonly database: PlatformDatabase
  readonly context: SharingContext
  readonly node: FleetNode
  #nowMs: number | undefined

  private constructor(database: PlatformDatabase, node: FleetNode) {
    this.database = database
    this.node = node
    const context = testContext(database.db, { clock: { now: () => this.#nowMs ?? Date.now() } })
    this.context = { ...context, placesOf: sharingPlaces }
  }

  static async open(database: PlatformDatabase): Promise<SharedServers> {
    const node = await addNode(database.owner, 'http://node.test:8080')
    await makeReachable(database.owner, node.nodeId)
    return new SharedServers(database, node)
  }

  /** Sets the clock of the control plane; the database keeps its own. */
  setClock(nowMs: number | undefined): void {
    this.#nowMs = nowMs
  }

  async person(name: string, facts: { verified?: boolean; isAdmin?: boolean } = {}): Promise<SharedPerson> {
    const id = systemIds.next()
    const username = `${name}-${id.slice(-6)}`
    const email = `${username}@example.test`
    const { verified = true, isAdmin = false } = facts
    await this.database.owner.query(
      `insert into cms_api.people (id, username, identifier, email, verified, is_admin) values ($1, $2, 'acdefghj', $3, $4, $5)`,
      [id, username, email, verified, isAdmin],
    )
    const who = { userId: id, sessionId: null, locale: 'en', address: '192.0.2.1', isAdmin, isSupport: false } as const
    return { ...who, isVerified: verified, username, email }
  }

  server(owner: SharedPerson): Promise<{ id: string }> {
    const options = { ownerId: owner.userId, installed: true, state: 'running' } as const
    return addServer(this.database.owner, this.node.nodeId, options)
  }

  /** A premium tier of a person that ends at a time of the control plane's clock. */
  async premium(person: SharedPerson, tier: string, expiresAtMs: number): Promise<void> {
    await this.database.owner.query(
      `insert into control.premium_purchases (id, user_id, tier, price_ft, spins, started_at, expires_at, request_id)
       values ($1, $2, $3, 990, 0, $4::timestamptz - interval '30 days', $4, 'test')`,
      [systemIds.next(), person.userId, tier, new Date(expiresAtMs)],
    )
  }

  invite(caller: SharedPerson, serverId: string, request: Terms & { email: string }) {
    const { permissions, endsAt = null, email } = request
    return inviteCollaborator(this.context, {
      caller,
      serverId,
      request: { email, permissions: [...permissions], endsAt },
      requestId,
    })
  }

  accept = (caller: SharedPerson, serverId: string) => acceptInvitation(this.context, { caller, serverId, requestId })
  decline = (caller: SharedPerson, serverId: string) => declineInvitation(this.context, { caller, serverId, requestId })

  change(caller: SharedPerson, place: { serverId: string; person: SharedPerson }, terms: Terms & { seen: Terms }) {
    const share = ({ permissions, endsAt = null }: Terms) => ({ permissions: [...permissions], endsAt })
    const request = { ...share(terms), seen: share(terms.seen) }
    const { serverId, person } = place
    return changeCollaborator(this.context, { caller, serverId, userId: person.userId, request, requestId })
  }

  remove = (caller: SharedPerson, serverId: string, person: SharedPerson) =>
    removeCollaborator(this.context, { caller, serverId, userId: person.userId, requestId })
  list = (caller: SharedPerson, serverId: string) => listCollaborators(this.context, { caller, serverId })
  room = (caller: SharedPerson, serverId: string) => sharingRoom(this.context, { caller, serverId })
  invitations = (caller: SharedPerson) => listInvitations(this.context, caller)
  endShares = () => endShares(this.context)

  /** A share that was accepted. */
  async share(owner: SharedPerson, place: { serverId: string; person: SharedPerson }, terms: Terms): Promise<void> {
    const { serverId, person } = place
    const invited = await this.invite(owner, serverId, { ...terms, email: person.email })
    if (!invited.ok) throw new Error(`The invitation was refused: ${invited.code}`)
    const accepted = await this.accept(person, serverId)
    if (!accepted.ok) throw new Error(`The answer was refused: ${accepted.code}`)
    await this.database.owner.query('delete from control.invitation_tries where owner_id = $1', [owner.userId])
  }

  /** The rows of a server's shares and invitations. */
  async rows(serverId: string) {
    const shares = await this.database.owner.query<{ user_id: string; permissions: string[] }>(
      'select user_id, permissions from control.server_users where server_id = $1 order by created_at',
      [serverId],
    )
    const invitations = await this.database.owner.query<{ user_id: string; permissions: string[] }>(
      'select user_id, permissions from control.server_invitations where server_id = $1 order by created_at',
      [serverId],
    )
    return { shares, invitations }
  }

  /** The revocations that leave for the nodes, by their person. */
  async revocations(serverId: string) {
    return this.database.owner.query<{ payload: { userId: string; issuedBeforeMs: number }; available_at: Date }>(
      `select payload, available_at from control.outbox
       where topic = 'console-revoked' and payload ->> 'serverId' = $1 order by created_at, id`,
      [serverId],
    )
  }

  async activities(serverId: string): Promise<[string, string][]> {
    const rows = await this.database.owner.query<{ user_id: string; type: string }>(
      'select user_id, type from control.activities where server_id = $1 order by created_at, id',
      [serverId],
    )
    return rows.map((row) => [row.user_id, row.type])
  }

  async bells(person: SharedPerson): Promise<string[]> {
    const rows = await this.database.owner.query<{ text: string }>(
      'select text from control.notifications where user_id = $1 order by created_at, id',
      [person.userId],
    )
    return rows.map(({ text }) => text)
  }
}
