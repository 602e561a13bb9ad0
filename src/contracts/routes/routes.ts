import * as z from 'zod'
import { ADMIN_ROUTES } from './admin-routes.ts'
import { AUTH_ROUTES } from '../http/auth-routes.ts'
import { EmailChange, PasswordChange, PasswordChangeAnswer } from '../http/auth.ts'
import { BALANCE_ROUTES } from './balance-routes.ts'
import { COLLABORATOR_ROUTES } from './collaborator-routes.ts'
import { ErrorReport, MAX_ERROR_REPORT_BYTES } from '../http/error-report.ts'
import type { InternalCallName } from '../internal-api/calls.ts'
import type { RouteClass } from '../http/limits.ts'
import { Activity, Notification, NotificationsRead } from '../http/notification.ts'
import { LOG_SHARE_ROUTES } from './log-share-routes.ts'
import { MESSAGE_ROUTES } from './message-routes.ts'
import { GUIDE_ROUTES } from './guide-routes.ts'
import { INVOICE_ROUTES } from './invoice-routes.ts'
import { NOTICE_ROUTES } from './notice-routes.ts'
import { OrderAnswer, OrderRequest, Quote, QuoteRequest } from '../http/order.ts'
import { CONTRACT_ROUTES } from './contract-routes.ts'
import { PORT_ROUTES } from './port-routes.ts'
import { RENEWAL_ROUTES } from './renewal-routes.ts'
import { ConsoleAccess, NodeAccess, NodeTokenRequest, PowerAnswer, PowerRequest, Server } from '../http/server.ts'
import { ServerActivityPage, ServerActivityQuery } from '../http/panel/server-activity.ts'
import { FACTOR_ROUTES } from '../http/factor-routes.ts'
import { FILE_ACCESS_ROUTES } from '../http/file-access-routes.ts'
import { Paging } from '../http/paging.ts'
import { PRIZE_ROUTES } from './prize-routes.ts'
import { PRIVACY_ROUTES } from './privacy-routes.ts'
import { PROFILE_ROUTES } from './profile-routes.ts'
import { PanelVisit } from '../http/panel/since-you-left.ts'
import { Service } from '../http/service.ts'
import { REINSTALL_ROUTES } from './reinstall-routes.ts'
import { SERVER_SETTINGS_ROUTES } from './server-settings-routes.ts'
import { SERVER_LAYOUT_ROUTES } from './server-layout-routes.ts'
import { STARTUP_ROUTES } from './startup-routes.ts'
import { SUMMARY_ROUTES } from './summary-routes.ts'
import { TICKET_ROUTES } from './ticket-routes.ts'
import { VOTING_ROUTES } from './voting-routes.ts'
import { SessionList, SessionPath } from '../http/session.ts'
import { User } from '../http/user.ts'
import { Id, Nothing } from '../primitives.ts'

/** `GET /api/status`: the current health, for the uptime page and external probes. */
export const StatusAnswer = z.object({ site: z.literal('up'), controlPlane: z.enum(['up', 'down']) })
export type StatusAnswer = z.infer<typeof StatusAnswer>

export const ServerPath = z.object({ id: Id })
/** Chosen by the client, one per intended action. */
export const IdempotencyKey = z.string().regex(/^[\x21-\x7e]{8,128}$/)

export type ApiRoute = {
  readonly summary: string
  readonly auth: 'none' | 'user' | 'administrator'
  /** The bucket in the table of limits. `login` and `register` check theirs in the use case, before any hashing. */
  readonly limit: RouteClass
  /** A call that may check or hash a password, or checks another proof of a person: it waits in the line of sign-ins. */
  readonly takesTurn?: true
  /**
   * The handler checks the session in the statement with which it reads. The guard checks only the token, without the
   * database.
   */
  readonly session?: 'by the read'
  readonly path?: z.ZodType
  readonly query?: z.ZodType
  readonly input?: z.ZodType
  /** Maximum size of the body in bytes, if the general limit is too high. */
  readonly maxBytes?: number
  /** The body is a raw file, not JSON; `input` is then its bytes. */
  readonly takes?: 'file'
  readonly output: z.ZodType
  /** The response is a file of this type, not JSON; `output` is then its bytes. */
  readonly gives?: 'image/webp' | 'application/pdf' | 'text/csv' | 'application/octet-stream'
  readonly status?: 200 | 201 | 202
  readonly idempotency?: 'required' | 'optional'
  /** The control plane call that handles the whole route, with its caller, query and input. */
  readonly call?: InternalCallName
  /** The field of that call for `id` in the path; other parts of the path keep their names. */
  readonly idAs?: string
  /** The field of that call for the whole input. Without it the input's fields are placed beside the caller. */
  readonly inputAs?: string
}

/**
 * Every call of the site's own API. Handlers and `/api/openapi.json` are generated from this table, so a call without a
 * row cannot be served and none can be served undocumented.
 */
export const API_ROUTES = {
  ...AUTH_ROUTES,
  'GET /api/user/me': {
    summary: 'Get the signed-in user',
    auth: 'user',
    limit: 'read',
    session: 'by the read',
    output: User,
  },
  ...PROFILE_ROUTES,
  'POST /api/user/password': {
    summary: 'Change the password and end all other sessions',
    auth: 'user',
    limit: 'proof',
    takesTurn: true,
    input: PasswordChange,
    output: PasswordChangeAnswer,
  },
  'POST /api/user/email': {
    summary: 'Request an e-mail address change; the new address has to be confirmed',
    auth: 'user',
    limit: 'proof',
    takesTurn: true,
    input: EmailChange,
    output: Nothing,
    status: 202,
  },
  ...PRIVACY_ROUTES,
  ...FACTOR_ROUTES,
  ...FILE_ACCESS_ROUTES,
  'GET /api/user/servers': {
    summary: "List the user's own servers and servers shared with them",
    auth: 'user',
    limit: 'read',
    session: 'by the read',
    query: Paging,
    output: z.array(Server),
  },
  ...SERVER_LAYOUT_ROUTES,
  ...SUMMARY_ROUTES,
  ...VOTING_ROUTES,
  'GET /api/user/notifications': {
    summary: 'List notifications',
    auth: 'user',
    limit: 'read',
    session: 'by the read',
    query: Paging,
    output: z.array(Notification),
  },
  'POST /api/user/notifications/read': {
    summary: 'Mark notifications as read, up to the newest one seen',
    auth: 'user',
    limit: 'read',
    input: NotificationsRead,
    call: 'read-notifications',
    output: Nothing,
  },
  ...NOTICE_ROUTES,
  'GET /api/user/activities': {
    summary: 'List the security log',
    auth: 'user',
    limit: 'read',
    query: Paging,
    output: z.array(Activity),
  },
  'GET /api/user/sessions': {
    summary: 'List the sessions of the account',
    auth: 'user',
    limit: 'read',
    output: SessionList,
  },
  'POST /api/user/sessions/{id}/end': {
    summary: 'Sign out another device',
    auth: 'user',
    limit: 'factorSettings',
    path: SessionPath,
    output: Nothing,
  },
  'GET /api/services': {
    summary: "List the services that can be rented, in the caller's language",
    auth: 'none',
    limit: 'publicRead',
    output: z.array(Service),
  },
  'POST /api/orders/quote': {
    summary: 'Get a quote for an order',
    auth: 'user',
    limit: 'quote',
    input: QuoteRequest,
    call: 'quote',
    inputAs: 'request',
    output: Quote,
  },
  'POST /api/orders': {
    summary: 'Rent a server',
    auth: 'user',
    limit: 'order',
    input: OrderRequest,
    output: OrderAnswer,
    status: 201,
    idempotency: 'required',
  },
  ...BALANCE_ROUTES,
  ...GUIDE_ROUTES,
  ...INVOICE_ROUTES,
  'GET /api/server/{id}': {
    summary: 'Get a server',
    auth: 'user',
    limit: 'read',
    path: ServerPath,
    call: 'server',
    idAs: 'serverId',
    output: Server,
  },
  'GET /api/server/{id}/ws': {
    summary: "Get the address of a server's console and a token for it",
    auth: 'user',
    limit: 'consoleToken',
    path: ServerPath,
    call: 'console-access',
    idAs: 'serverId',
    output: ConsoleAccess,
  },
  'POST /api/server/{id}/token': {
    summary: "Get a token of one purpose for direct calls to a server's node",
    auth: 'user',
    limit: 'nodeToken',
    path: ServerPath,
    input: NodeTokenRequest,
    call: 'node-token',
    idAs: 'serverId',
    inputAs: 'request',
    output: NodeAccess,
  },
  'POST /api/server/{id}/power': {
    summary: 'Start, stop, restart or kill a server',
    auth: 'user',
    limit: 'power',
    path: ServerPath,
    input: PowerRequest,
    call: 'power',
    idAs: 'serverId',
    output: PowerAnswer,
    status: 202,
  },
  ...PORT_ROUTES,
  'GET /api/server/{id}/activities': {
    summary: 'List what was done on a server, by whom and how',
    auth: 'user',
    limit: 'read',
    path: ServerPath,
    query: ServerActivityQuery,
    output: ServerActivityPage,
  },
  'POST /api/server/{id}/visit': {
    summary: 'Note that the panel of a server is open, and get what happened since it last was',
    auth: 'user',
    limit: 'visit',
    path: ServerPath,
    call: 'visit-panel',
    idAs: 'serverId',
    output: PanelVisit,
  },
  ...COLLABORATOR_ROUTES,
  ...LOG_SHARE_ROUTES,
  ...RENEWAL_ROUTES,
  ...REINSTALL_ROUTES,
  ...SERVER_SETTINGS_ROUTES,
  ...STARTUP_ROUTES,
  ...CONTRACT_ROUTES,
  'POST /api/error-report': {
    summary: 'Report an error that occurred in the browser',
    auth: 'none',
    limit: 'errorReport',
    input: ErrorReport,
    maxBytes: MAX_ERROR_REPORT_BYTES,
    output: Nothing,
    status: 202,
  },
  ...PRIZE_ROUTES,
  ...MESSAGE_ROUTES,
  ...TICKET_ROUTES,
  ...ADMIN_ROUTES,
  'GET /api/status': {
    summary: 'Get the status of the site and the control plane',
    auth: 'none',
    limit: 'publicRead',
    output: StatusAnswer,
  },
} as const satisfies Record<string, ApiRoute>

export type ApiRouteName = keyof typeof API_ROUTES
type Routes = typeof API_ROUTES
type Schema<Name extends ApiRouteName, Key extends string> =
  Routes[Name] extends Record<Key, infer Found> ? (Found extends z.ZodType ? z.output<Found> : undefined) : undefined

export type ApiInput<Name extends ApiRouteName> = Schema<Name, 'input'>
export type ApiQuery<Name extends ApiRouteName> = Schema<Name, 'query'>
export type ApiPath<Name extends ApiRouteName> = Schema<Name, 'path'>
export type ApiOutput<Name extends ApiRouteName> = z.input<Routes[Name]['output']>
/** A caller of this route is always signed in. */
export type ApiIsSignedIn<Name extends ApiRouteName> = Routes[Name]['auth'] extends 'none' ? false : true
