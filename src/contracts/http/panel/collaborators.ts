import * as z from 'zod'
import { PREMIUM_TIERS } from '#domain/billing/premium.ts'
import { PERMISSIONS } from '../../panel/permissions.ts'
import { Id, Instant } from '../../primitives.ts'
import { Email } from '../auth.ts'
import { ServicePictures, SubUser } from '../server.ts'

/** A share without permissions would be nothing but a name in a list. */
const Shared = z.array(z.enum(PERMISSIONS)).min(1).max(PERMISSIONS.length)

/**
 * `GET /api/server/{id}/users`: a sub-user of specification section 3, with the state of their share. `pending` people
 * were invited and have not answered: they may do nothing yet.
 */
export const Collaborator = z.object({
  ...SubUser.shape,
  state: z.enum(['active', 'pending']),
  /** When it was accepted, or when the pending invitation was sent. */
  since: Instant,
  /** When it ends by itself; null without an end. */
  endsAt: Instant.nullable(),
  /** When a pending invitation is no longer answered. */
  expiresAt: Instant.nullable(),
})
export type Collaborator = z.infer<typeof Collaborator>
export const CollaboratorList = z.array(Collaborator)

export const CollaboratorPath = z.object({ id: Id, userId: Id })

export const CollaboratorInvite = z.strictObject({
  email: Email,
  permissions: Shared,
  endsAt: Instant.nullable().default(null),
})
export type CollaboratorInvite = z.infer<typeof CollaboratorInvite>

const Share = z.strictObject({ permissions: z.array(z.enum(PERMISSIONS)), endsAt: Instant.nullable() })

/** `seen` is the share as the editor showed it: one that was changed meanwhile is refused with SHARE_CHANGED. */
export const CollaboratorChange = z.strictObject({
  permissions: Shared,
  endsAt: Instant.nullable(),
  seen: Share,
})
export type CollaboratorChange = z.infer<typeof CollaboratorChange>

/** `POST /api/server/{id}/users/{userId}/see-as`: as whom the caller looks at the panel from now on. */
export const SeenPerson = Collaborator.pick({ id: true, username: true })
export type SeenPerson = z.infer<typeof SeenPerson>

/** `GET /api/server/{id}/sharing`: how many people the owner's premium tier has room for. */
export const SharingRoom = z.object({
  limit: z.int(),
  /** Shares and pending invitations. */
  used: z.int(),
  tier: z.enum(PREMIUM_TIERS),
  /** The next tier with a higher limit, which the owner can buy; null for the highest. */
  next: z.object({ tier: z.enum(PREMIUM_TIERS), limit: z.int() }).nullable(),
  /** Until when the caller shares the server; null for its owner and without an end. A caller gives no longer shares. */
  ownEnd: Instant.nullable(),
})
export type SharingRoom = z.infer<typeof SharingRoom>

/** `GET /api/user/invitations`: a server that others want to share with the caller. */
export const ServerInvitation = z.object({
  serverId: Id,
  serverName: z.string(),
  serviceName: z.string(),
  pictures: ServicePictures,
  owner: z.string(),
  invitedBy: z.string(),
  permissions: z.array(z.enum(PERMISSIONS)),
  endsAt: Instant.nullable(),
  createdAt: Instant,
  expiresAt: Instant,
})
export type ServerInvitation = z.infer<typeof ServerInvitation>
export const InvitationList = z.array(ServerInvitation)

/** `id` is the server's. */
export const InvitationPath = z.object({ id: Id })
