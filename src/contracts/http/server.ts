import * as z from 'zod'
import { SERVER_WORDS } from '#domain/servers/status.ts'
import { InnerPath } from '../panel/checked-path.ts'
import { PERMISSIONS } from '../panel/permissions.ts'
import { AmountFt, Id, Identifier, Instant } from '../primitives.ts'

export const ServerNode = z.object({ name: z.string(), url: z.string(), proxmox_url: z.string().nullable() })

export const SubUser = z.object({
  id: Id,
  username: z.string(),
  email: z.string(),
  permissions: z.array(z.enum(PERMISSIONS)),
})

export const ServerVariable = z.object({
  name: z.string(),
  environmentVariable: z.string(),
  value: z.string(),
  default: z.string(),
  editable: z.boolean(),
})

/** Paths of pictures on the site; null if the service has none. */
export const ServicePictures = z.object({ banner: z.string().nullable(), icon: z.string().nullable() })
export type ServicePictures = z.infer<typeof ServicePictures>

/**
 * The Server entity of specification section 3. `status` is the specification's word; see the table in
 * #domain/servers/status.ts.
 */
export const Server = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  identifier: Identifier,
  owner: z.object({ id: Id, username: z.string() }),
  computer: ServerNode,
  status: z.enum(SERVER_WORDS),
  expiry: Instant,
  cpuPercent: z.int(),
  maximumMemoryMiB: z.int(),
  maximumStorageMiB: z.int(),
  ports: z.int(),
  monthlyPriceFt: AmountFt,
  dockerImage: z.string().nullable(),
  startup: z.string(),
  variables: z.array(ServerVariable),
  highlighted: z.boolean(),
  suspended: z.boolean(),
  suspendedReason: z.string().nullable(),
  ip: z.string(),
  port: z.int().nullable(),
  subusers: z.array(SubUser),
  /** The caller's permissions: all for the owner. */
  permissions: z.array(z.enum(PERMISSIONS)),
  serviceName: z.string(),
  /** Paths of its service's pictures on the site. A control plane of the release before sends none. */
  pictures: ServicePictures.default({ banner: null, icon: null }),
  createdAt: Instant,
  /** The last installation's progress while the status is installing, else null. */
  installation: z.object({ step: z.string(), startedAt: Instant }).nullable(),
})
export type Server = z.infer<typeof Server>

/** `GET /api/server/{id}/ws`: the socket's path on the computer's url, and the token to send as the first message. */
export const ConsoleAccess = z.object({ token: z.string(), socket: z.string(), url: z.string() })
export type ConsoleAccess = z.infer<typeof ConsoleAccess>

/**
 * `POST /api/server/{id}/archive`: the archive of an expired server is at `path` of the computer's `url`, once, with
 * the token in its query before it expires.
 */
export const ArchiveAccess = z.object({
  url: z.string(),
  path: z.string(),
  token: z.string(),
  fileName: z.string(),
  expiresAt: Instant,
})
export type ArchiveAccess = z.infer<typeof ArchiveAccess>

/**
 * `POST /api/server/{id}/token`: a token of one purpose for direct calls to the node, at `path` of the computer's `url`. `files` is for
 * the calls about its files, `download` for one file or folder, once, `ports` for what listens on its ports.
 */
export const NodeTokenRequest = z.discriminatedUnion('purpose', [
  z.object({ purpose: z.literal('files') }),
  z.object({ purpose: z.literal('download'), path: InnerPath }),
  z.object({ purpose: z.literal('ports') }),
])
export type NodeTokenRequest = z.infer<typeof NodeTokenRequest>
export const NodeAccess = z.object({ url: z.string(), path: z.string(), token: z.string(), expiresAt: Instant })
export type NodeAccess = z.infer<typeof NodeAccess>

export const POWER_ACTIONS = ['start', 'stop', 'restart', 'kill'] as const
export const PowerAction = z.enum(POWER_ACTIONS)
export type PowerAction = z.infer<typeof PowerAction>
/** A repeated `requestId` is the same request. */
export const PowerRequest = z.object({ action: PowerAction, requestId: Id.optional() })
export const PowerAnswer = z.object({ accepted: z.literal(true), commandId: Id })
