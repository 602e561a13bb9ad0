import * as z from 'zod'
import { Balance, TopupAnswer, TopupRequest, TransactionPage } from '../http/balance.ts'
import { ErrorCode } from '../http/errors.ts'
import { Activity, Notification, NotificationsRead } from '../http/notification.ts'
import { OrderAnswer, OrderRequest, Quote, QuoteRequest } from '../http/order.ts'
import { ConsoleAccess, PowerAction, PowerAnswer, Server } from '../http/server.ts'
import { Service } from '../http/service.ts'
import { PREMIUM_TIERS } from '../http/user.ts'
import { Locale } from '../locale.ts'
import { AmountFt, Id, Instant, MAX_ITEMS } from '../primitives.ts'

/** Headers of every internal call. The secret is compared in constant time; the request id follows an order through all programs. */
export const INTERNAL_HEADERS = {
  secret: 'x-internal-secret',
  requestId: 'x-request-id',
  idempotencyKey: 'idempotency-key',
} as const

/** Who asks: the site has authenticated the user; staff flags come from active roles. */
export const Caller = z.object({
  userId: Id,
  sessionId: Id.nullable(),
  locale: Locale,
  address: z.string(),
  isAdmin: z.boolean(),
  isSupport: z.boolean(),
})
export type Caller = z.infer<typeof Caller>

const Paging = { limit: z.int().min(1).max(MAX_ITEMS).optional(), before: Id.optional() }
const Empty = z.object({})

/** The part of `/api/user/me` that the control plane owns. */
export const Account = z.object({
  balance: AmountFt,
  premium: z.enum(PREMIUM_TIERS),
  premiumExpiry: Instant.nullable(),
  spinCount: z.int(),
})
export type Account = z.infer<typeof Account>

/**
 * Every call from the site to the control plane: `POST /internal/{name}` with `input` as JSON, answered by `output` or by
 * `InternalError`. Client and server are typed from this table, so a call without a row cannot be made or served.
 */
export const INTERNAL_CALLS = {
  account: { input: z.object({ caller: Caller }), output: Account },
  balance: { input: z.object({ caller: Caller }), output: Balance },
  transactions: { input: z.object({ caller: Caller, ...Paging }), output: TransactionPage },
  topup: { input: z.object({ caller: Caller, request: TopupRequest, returnUrl: z.url() }), output: TopupAnswer },
  services: { input: z.object({ locale: Locale }), output: z.array(Service) },
  quote: { input: z.object({ caller: Caller, request: QuoteRequest }), output: Quote },
  order: { input: z.object({ caller: Caller, request: OrderRequest }), output: OrderAnswer },
  servers: { input: z.object({ caller: Caller, ...Paging }), output: z.array(Server) },
  server: { input: z.object({ caller: Caller, serverId: Id }), output: Server },
  power: {
    input: z.object({ caller: Caller, serverId: Id, action: PowerAction, requestId: Id.optional() }),
    output: PowerAnswer,
  },
  'console-access': { input: z.object({ caller: Caller, serverId: Id }), output: ConsoleAccess },
  notifications: { input: z.object({ caller: Caller, ...Paging }), output: z.array(Notification) },
  'read-notifications': { input: z.object({ caller: Caller, ...NotificationsRead.shape }), output: Empty },
  activities: { input: z.object({ caller: Caller, ...Paging }), output: z.array(Activity) },
  /** Sessions ended: their sockets get `logout`; `sessionId` null means all of the user's. */
  'session-ended': { input: z.object({ userId: Id, sessionId: Id.nullable() }), output: Empty },
  /** A hint that staff changed something in the CMS; the reconcile loop would see it anyway. */
  nudge: {
    input: z.object({
      topic: z.enum(['computers', 'templates', 'services', 'settings', 'users']),
      id: z.string().nullable(),
    }),
    output: Empty,
  },
  /** Origins of the nodes' sockets, for the panel's connect-src. */
  'node-origins': { input: Empty, output: z.object({ origins: z.array(z.string()), gateway: z.string() }) },
  /** Gives a server whose node is lost to another computer, where it is installed anew. For administrators. */
  'force-move': {
    input: z.object({ caller: Caller, serverId: Id, computerId: Id, reason: z.string().trim().min(10).max(500) }),
    output: z.object({ nodeId: Id, generation: z.int() }),
  },
  /** Makes the single-use token with which an agent enrols as this computer. */
  'enrolment-token': {
    input: z.object({ caller: Caller, computerId: Id }),
    output: z.object({ token: z.string(), expiresAt: Instant }),
  },
} as const

export type InternalCallName = keyof typeof INTERNAL_CALLS
export type InternalInput<Name extends InternalCallName> = z.infer<(typeof INTERNAL_CALLS)[Name]['input']>
export type InternalOutput<Name extends InternalCallName> = z.infer<(typeof INTERNAL_CALLS)[Name]['output']>

/** Codes and facts only: the site words the message in the caller's language. */
export const InternalError = z.object({
  error: z.object({
    code: ErrorCode,
    params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
    fields: z.record(z.string(), z.string()).optional(),
  }),
})
export type InternalError = z.infer<typeof InternalError>
