import { ServerSpec } from '#contracts/agent/server-spec.ts'
import { identifierFrom } from '#domain/kernel/identifier.ts'
import { paidPeriod } from '#domain/billing/period.ts'
import { portLimitOf } from '#domain/servers/ports.ts'
import type { TemplateRow } from '#contracts/cms-api/rows.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { ChosenImages } from '../../servers/placement/choose-image.ts'
import type { TakenPort } from '../../servers/placement/take-ports.ts'
import type { PricedOrder } from './price-order.ts'
import { firstPortLinks } from '../../servers/startup/first-port-links.ts'
import { serverSpecOf } from '../../servers/placement/server-spec.ts'

const IDENTIFIER_ATTEMPTS = 10

/** Picks an identifier that no server ever had. */
export async function takeIdentifier(tx: Sql, { ids, clock }: Pick<Context, 'ids' | 'clock'>): Promise<string> {
  for (let attempt = 0; attempt < IDENTIFIER_ATTEMPTS; attempt += 1) {
    const identifier = identifierFrom(ids.bytes(32))
    if (identifier === undefined) continue
    const taken = await tx.query(
      'insert into control.identifiers (identifier, taken_at) values ($1, $2) on conflict do nothing returning identifier',
      [identifier, new Date(clock.now())],
    )
    if (taken.length === 1) return identifier
  }
  throw new Error('no free identifier was found')
}

export type NewServer = {
  readonly id: string
  readonly identifier: string
  readonly ownerId: string
  readonly name: string
  readonly node: { readonly nodeId: string }
  readonly images: ChosenImages
  readonly order: PricedOrder
  readonly template: TemplateRow
}

/** Writes the desired state of a new server: installed and then running, with its first period paid from now. */
export async function writeServer(tx: Sql, { clock }: Pick<Context, 'clock'>, server: NewServer): Promise<void> {
  const { order, template, node } = server
  const now = clock.now()
  await tx.query(
    `insert into control.servers (id, identifier, owner_id, node_id, service_id, package_id, template_id, name, desired,
       desired_power, spec, service_name, cpu_percent, memory_mib, storage_mib, monthly_price_ft, expires_at, created_at, port_limit)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'installed', 'running', $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
    [
      server.id,
      server.identifier,
      server.ownerId,
      node.nodeId,
      order.service.id,
      order.package?.id ?? null,
      template.id,
      server.name,
      JSON.stringify(specOf(server, [])),
      JSON.stringify(order.service.name),
      order.limits.cpuPercent,
      order.limits.memoryMiB,
      order.limits.storageMiB,
      order.quote.pricePerMonth.minor.toString(),
      new Date(paidPeriod(now, order.quote.months).endMs),
      new Date(now),
      portLimitOf(template.required_ports),
    ],
  )
  await tx.query(
    `insert into control.server_state (server_id, state, since, updated_at) values ($1, 'creating', $2, $2)`,
    [server.id, new Date(now)],
  )
}

/** Completes the desired state with the allocated ports. */
export async function writeSpec(tx: Sql, server: NewServer, ports: readonly TakenPort[]): Promise<void> {
  const spec = specOf(server, ports)
  await tx.query('update control.servers set spec = $2, port_links = $3 where id = $1', [
    server.id,
    JSON.stringify(spec),
    JSON.stringify(firstPortLinks(server.template.variables, spec.allocations)),
  ])
}

/** Throws if the wire to the agents would not accept it: one such row would block all others of its node. */
function specOf(server: NewServer, ports: readonly TakenPort[]): ServerSpec {
  const spec = serverSpecOf({
    id: server.id,
    identifier: server.identifier,
    name: server.name,
    template: server.template,
    images: server.images,
    limits: server.order.limits,
    allocations: [...ports],
  })
  return ServerSpec.parse(spec)
}
