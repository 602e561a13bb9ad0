import { PART_PERMISSIONS, permissionsOf } from '#domain/servers/permissions.ts'
import { isReachableAt } from '#domain/servers/reachability.ts'
import { statusOf } from '#domain/servers/status.ts'
import { isSecretVariable } from '#domain/startup/variable-kind.ts'
import type { TemplateRow, TemplateVariable } from '../cms-api/rows.ts'
import type { Server } from '../http/server.ts'
import type { Locale } from '../locale.ts'
import type { Permission } from '../panel/permissions.ts'
import { ServerRow } from './rows.ts'

// Named one by one: a prepared statement fails when a later migration adds a column to the view.
const COLUMNS = Object.keys(ServerRow.omit({ renews: true }).shape).map((column) => `s.${column}`)

/**
 * Servers as shown to their readers: rows of ShownServerRow. Site and control plane add their own conditions on `s`,
 * the row of `control_api.servers`; names of people and computers and the texts of templates come from `cms_api`.
 */
export const SHOWN_SERVERS = `
  select ${COLUMNS.join(', ')}, p.username as owner_name, c.name as computer_name, c.url as computer_url, c.proxmox_url, t.variables,
    g.banner, g.icon,
    (select jsonb_agg(jsonb_build_object('id', u.user_id, 'username', q.username, 'email', a.email,
        'permissions', u.permissions) order by u.created_at)
     from control_api.server_users u left join cms_api.people q on q.id = u.user_id
       left join cms_api.shown_addresses a on a.id = u.user_id where u.server_id = s.id) as sub_users
  from control_api.servers s
    left join cms_api.computers c on c.id = s.computer_id
    left join cms_api.people p on p.id = s.owner_id
    left join cms_api.templates t on t.id = s.template_id
    left join cms_api.service_pictures g on g.id = s.service_id`

/**
 * The condition on `s` for a person's own and shared servers; `userId` is the statement's placeholder for the person.
 */
export const serversOf = (userId: string): string =>
  `s.id = any (array(select id from control_api.servers where owner_id = ${userId}
    union all select server_id from control_api.server_users where user_id = ${userId}))`

type SubUserRow = { id: string; username: string | null; email: string | null; permissions: Permission[] }

type Moments = 'since' | 'node_renewed_at' | 'expires_at' | 'created_at'

/** A row of SHOWN_SERVERS. Timestamps are text when the row is read as JSON. */
export type ShownServerRow = Omit<ServerRow, 'renews' | Moments> & {
  readonly since: Date | string
  readonly node_renewed_at: Date | string | null
  readonly expires_at: Date | string
  readonly created_at: Date | string
  readonly owner_name: string | null
  readonly computer_name: string | null
  readonly computer_url: string | null
  readonly proxmox_url: string | null
  readonly variables: TemplateRow['variables'] | null
  readonly banner: string | null
  readonly icon: string | null
  readonly sub_users: SubUserRow[] | null
}

/** The reader. `nowMs` is the control plane's current time, or the time for which the rows are valid. */
export type ServerReader = {
  readonly userId: string
  readonly isAdmin: boolean
  readonly locale: Locale
  readonly nowMs: number
  /** In place of those of the reader: what a collaborator sees. */
  readonly permissions?: readonly Permission[]
}

const instant = (moment: Date | string): string => new Date(moment).toISOString()

/** A server as visible to this reader. Hidden parts are empty: addresses of other people, and the start-up settings. */
export const shownServer = (row: ShownServerRow, reader: ServerReader): Server => {
  const primary = row.allocations.find((allocation) => allocation.primary)
  const installing = row.state === 'creating' || row.state === 'installing'
  const permissions = allowedTo(reader, row)
  const showsStartup = permissions.includes(PART_PERMISSIONS.startup)
  const { node_renewed_at: renewedAt } = row
  const nodeReachable = isReachableAt(renewedAt === null ? undefined : new Date(renewedAt).getTime(), reader.nowMs)
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    identifier: row.identifier,
    owner: { id: row.owner_id, username: row.owner_name ?? '' },
    computer: { name: row.computer_name ?? '', url: row.computer_url ?? '', proxmox_url: row.proxmox_url },
    status: statusOf({ state: row.state, suspended: row.suspended, nodeReachable }).word,
    expiry: instant(row.expires_at),
    cpuPercent: row.cpu_percent,
    maximumMemoryMiB: row.memory_mib,
    maximumStorageMiB: row.storage_mib,
    ports: row.allocations.length,
    monthlyPriceFt: row.monthly_price_ft,
    dockerImage: showsStartup ? row.image : null,
    startup: showsStartup ? row.startup_argv.join(' ') : '',
    variables: showsStartup ? variablesOf(row, reader.locale) : [],
    highlighted: row.highlighted,
    suspended: row.suspended,
    suspendedReason: row.suspended_reason,
    ip: primary?.ip ?? '',
    port: primary?.port ?? null,
    subusers: permissions.includes(PART_PERMISSIONS.subUsers) ? subUsersOf(row) : [],
    permissions,
    serviceName: row.service_name[reader.locale],
    pictures: { banner: row.banner, icon: row.icon },
    createdAt: instant(row.created_at),
    installation: installing ? { step: row.state, startedAt: instant(row.since) } : null,
  }
}

const subUsersOf = ({ sub_users: users }: ShownServerRow): Server['subusers'] =>
  (users ?? []).map(({ id, username, email, permissions }) => ({
    id,
    username: username ?? '',
    email: email ?? '',
    permissions,
  }))

const allowedTo = ({ userId, isAdmin, permissions }: ServerReader, row: ShownServerRow): Permission[] => {
  if (permissions) return [...permissions]
  const own = row.sub_users?.find((user) => user.id === userId)
  return [...(permissionsOf({ owns: row.owner_id === userId, isAdmin, shared: own?.permissions ?? null }) ?? [])]
}

const variablesOf = (row: ShownServerRow, locale: Locale): Server['variables'] =>
  (row.variables ?? []).map((variable) => ({
    name: variable.name[locale],
    environmentVariable: variable.environmentVariable,
    ...shownValues(row, variable),
    editable: variable.editable,
  }))

/** A secret is shown on request only (`POST /api/server/{id}/startup/secret`), and lists are read by many. */
const shownValues = (row: ShownServerRow, variable: TemplateVariable): { value: string; default: string } =>
  isSecretVariable(variable)
    ? { value: '', default: '' }
    : { value: row.environment[variable.environmentVariable] ?? variable.default, default: variable.default }
