import type { Permission } from '#contracts/panel/permissions.ts'
import type { Server } from '#contracts/http/server.ts'
import type { ServerSpec } from '#contracts/agent/server-spec.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import type { Locale, LocalizedText } from '#contracts/locale.ts'
import { MAX_ITEMS } from '#contracts/primitives.ts'
import type { TemplateRow } from '#contracts/cms-api/rows.ts'
import { PART_PERMISSIONS, permissionsOf } from '#domain/servers/permissions.ts'
import { statusOf } from '#domain/servers/status.ts'
import type { ServerState } from '#domain/servers/server-lifecycle.ts'
import type { Context } from '../../platform/context.ts'
import { SESSION_LEASE_MS } from './node-store.ts'

type Variables = TemplateRow['variables']
type SubUserRow = { id: string; username: string | null; email: string | null; permissions: Permission[] }
type Row = {
  id: string
  identifier: string
  name: string
  description: string
  owner_id: string
  owner_name: string | null
  computer_name: string | null
  computer_url: string | null
  proxmox_url: string | null
  state: ServerState
  since: Date
  reachable: boolean
  suspended: boolean
  suspended_reason: string | null
  expires_at: Date
  created_at: Date
  cpu_percent: number
  memory_mib: number
  storage_mib: number
  monthly_price_ft: bigint
  highlighted: boolean
  spec: ServerSpec
  service_name: LocalizedText
  variables: Variables | null
  sub_users: SubUserRow[] | null
}

const SELECT = `
  select s.id, s.identifier, s.name, s.description, s.owner_id, p.username as owner_name, c.name as computer_name,
    c.url as computer_url, c.proxmox_url, coalesce(o.state, 'creating') as state, coalesce(o.since, s.created_at) as since,
    exists (select from control.agent_sessions a where a.node_id = s.node_id and a.renewed_at > $2) as reachable,
    s.suspended, s.suspended_reason, s.expires_at, s.created_at, s.cpu_percent, s.memory_mib, s.storage_mib,
    s.monthly_price_ft, s.highlighted, s.spec, s.service_name, t.variables,
    (select jsonb_agg(jsonb_build_object('id', u.user_id, 'username', q.username, 'email', a.email,
        'permissions', u.permissions) order by u.created_at)
     from control.server_users u left join cms_api.people q on q.id = u.user_id
       left join cms_api.shown_addresses a on a.id = u.user_id where u.server_id = s.id) as sub_users
  from control.servers s
  join control.nodes n on n.id = s.node_id
  left join control.server_state o on o.server_id = s.id
  left join cms_api.computers c on c.id = n.computer_id
  left join cms_api.people p on p.id = s.owner_id
  left join cms_api.templates t on t.id = s.template_id
  where s.deleted_at is null and s.desired = 'installed'`

const MINE = `(s.owner_id = $1 or exists (select from control.server_users u where u.server_id = s.id and u.user_id = $1))`

/** The caller's own servers and those shared with the caller, newest first. */
export async function listServers(
  context: Pick<Context, 'db' | 'clock'>,
  request: { caller: Caller; limit?: number | undefined; before?: string | undefined },
): Promise<Server[]> {
  const { caller, limit = MAX_ITEMS, before } = request
  const rows = await context.db.query<Row>(
    `${SELECT} and ${MINE} and ($3::uuid is null or s.id < $3) order by s.id desc limit $4`,
    [caller.userId, leaseStart(context), before ?? null, limit],
  )
  return rows.map((row) => serverOf(row, caller))
}

/** One server that the caller may see: an own one, a shared one, or any for staff who administer. */
export async function findServer(
  context: Pick<Context, 'db' | 'clock'>,
  { caller, serverId }: { caller: Caller; serverId: string },
): Promise<Server | undefined> {
  const rows = await context.db.query<Row>(`${SELECT} and ($4 or ${MINE}) and s.id = $3`, [
    caller.userId,
    leaseStart(context),
    serverId,
    caller.isAdmin,
  ])
  return rows[0] && serverOf(rows[0], caller)
}

/** A node whose session was not renewed since is shown as being maintained. */
const leaseStart = ({ clock }: Pick<Context, 'clock'>): Date => new Date(clock.now() - SESSION_LEASE_MS)

function serverOf(row: Row, caller: Caller): Server {
  const primary = row.spec.allocations.find((allocation) => allocation.primary)
  const installing = row.state === 'creating' || row.state === 'installing'
  const permissions = allowedTo(caller, row)
  // What somebody may not see is empty: addresses of other people, and what the owner wrote into the start-up.
  const showsStartup = permissions.includes(PART_PERMISSIONS.startup)
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    identifier: row.identifier,
    owner: { id: row.owner_id, username: row.owner_name ?? '' },
    computer: { name: row.computer_name ?? '', url: row.computer_url ?? '', proxmox_url: row.proxmox_url },
    status: statusOf({ state: row.state, suspended: row.suspended, nodeReachable: row.reachable }).word,
    expiry: row.expires_at.toISOString(),
    cpuPercent: row.cpu_percent,
    maximumMemoryMiB: row.memory_mib,
    maximumStorageMiB: row.storage_mib,
    ports: row.spec.allocations.length,
    monthlyPriceFt: Number(row.monthly_price_ft),
    dockerImage: showsStartup ? row.spec.image : null,
    startup: showsStartup ? row.spec.startup.argv.join(' ') : '',
    variables: showsStartup ? variablesOf(row, caller.locale) : [],
    highlighted: row.highlighted,
    suspended: row.suspended,
    suspendedReason: row.suspended_reason,
    ip: primary?.ip ?? '',
    port: primary?.port ?? null,
    subusers: permissions.includes(PART_PERMISSIONS.subUsers) ? subUsersOf(row) : [],
    permissions,
    serviceName: row.service_name[caller.locale],
    createdAt: row.created_at.toISOString(),
    installation: installing ? { step: row.state, startedAt: row.since.toISOString() } : null,
  }
}

function subUsersOf({ sub_users: users }: Row): Server['subusers'] {
  return (users ?? []).map(({ id, username, email, permissions }) => {
    return { id, username: username ?? '', email: email ?? '', permissions }
  })
}

function allowedTo(caller: Caller, row: Row): Permission[] {
  const own = row.sub_users?.find((user) => user.id === caller.userId)
  const visitor = { owns: row.owner_id === caller.userId, isAdmin: caller.isAdmin, shared: own?.permissions ?? null }
  return [...(permissionsOf(visitor) ?? [])]
}

function variablesOf(row: Row, locale: Locale): Server['variables'] {
  return (row.variables ?? []).map((variable) => ({
    name: variable.name[locale],
    environmentVariable: variable.environmentVariable,
    value: row.spec.environment[variable.environmentVariable] ?? variable.default,
    default: variable.default,
    editable: variable.editable,
  }))
}
