import * as z from 'zod'
import { PREMIUM_TIERS } from '#domain/billing/premium.ts'
import { SERVER_STATES } from '#domain/servers/server-lifecycle.ts'
import { Allocation } from '../agent/server-spec.ts'
import { PaymentMethod } from '../http/payment.ts'
import { LocalizedText } from '../locale.ts'
import { AmountFt, Id, Identifier } from '../primitives.ts'

/**
 * The site's view of the control plane: rows of the SQL views in schema `control_api`. Keys are the columns of the
 * view. The control plane's migrations create the views; a test compares their columns and rows with these schemas. No
 * view contains a secret: no keys, no addresses of browsers, no provider data.
 */

/** `control_api.heartbeat`: one row once a control plane of this release has run. */
export const HeartbeatRow = z.object({
  /** By the control plane's clock. */
  beaten_at: z.date(),
  /** By the database's clock. */
  age_ms: z.number().min(0),
  payment_methods: z.array(PaymentMethod),
})

/** `control_api.balances`: no row for a person who never had money. */
export const BalanceRow = z.object({
  user_id: Id,
  money_ft: AmountFt,
  bonus_ft: AmountFt,
  held_ft: AmountFt,
  debt_ft: AmountFt,
})

/** `control_api.premium`: a person's last purchased tier, even if it has expired. */
export const PremiumRow = z.object({ user_id: Id, tier: z.enum(PREMIUM_TIERS), expires_at: z.date() })

/** `control_api.spin_accounts`: no row for a person who never had a spin. */
export const SpinAccountRow = z.object({
  user_id: Id,
  last_free_spin_at: z.date().nullable(),
  rerolls: z.int(),
  granted: z.int(),
  bought: z.int(),
})

/** `control_api.servers`: the servers visible to customers. */
export const ServerRow = z.object({
  id: Id,
  identifier: Identifier,
  name: z.string(),
  description: z.string(),
  owner_id: Id,
  computer_id: Id,
  template_id: Id,
  state: z.enum(SERVER_STATES),
  since: z.date(),
  /** When the node's session was last renewed; null for a node that never connected. */
  node_renewed_at: z.date().nullable(),
  suspended: z.boolean(),
  suspended_reason: z.string().nullable(),
  expires_at: z.date(),
  created_at: z.date(),
  cpu_percent: z.int(),
  memory_mib: z.int(),
  storage_mib: z.int(),
  monthly_price_ft: AmountFt,
  /** The price of the next period: that of the planned package, if there is one. */
  renewal_price_ft: AmountFt,
  highlighted: z.boolean(),
  service_name: LocalizedText,
  service_id: Id,
  image: z.string().nullable(),
  startup_argv: z.array(z.string()),
  environment: z.record(z.string(), z.string()),
  allocations: z.array(Allocation),
  /** Whether it has a monthly price. */
  renews: z.boolean(),
})
export type ServerRow = z.infer<typeof ServerRow>

/** `control_api.server_users`: the people with whom a server is shared. */
export const ServerUserRow = z.object({
  server_id: Id,
  user_id: Id,
  permissions: z.array(z.string()),
  created_at: z.date(),
})

/** `control_api.notifications`. */
export const NotificationRow = z.object({
  id: Id,
  user_id: Id,
  /** One of NOTIFICATION_KEYS, or a key of a later release. */
  text: z.string(),
  data: z.record(z.string(), z.unknown()),
  created_at: z.date(),
  read_at: z.date().nullable(),
})

/** `control_api.push_browsers`: browsers with push notifications, by the session that subscribed them. */
export const PushBrowserRow = z.object({ session_id: Id, seen_at: z.date() })

/** `control_api.node_runtimes`: the runtime of each computer whose agent was enrolled, connected or not. */
export const NodeRuntimeRow = z.object({ computer_id: Id, runtime: z.string() })
export type NodeRuntimeRow = z.infer<typeof NodeRuntimeRow>

/** `control_api.vote_counts`: the votes of each option that has some. */
export const VoteCountRow = z.object({ voting_id: Id, option_id: z.string(), votes: z.int() })

/** Every view of the contract by its name. */
export const CONTROL_API_VIEWS = {
  heartbeat: HeartbeatRow,
  balances: BalanceRow,
  premium: PremiumRow,
  spin_accounts: SpinAccountRow,
  servers: ServerRow,
  server_users: ServerUserRow,
  notifications: NotificationRow,
  push_browsers: PushBrowserRow,
  node_runtimes: NodeRuntimeRow,
  vote_counts: VoteCountRow,
} as const
