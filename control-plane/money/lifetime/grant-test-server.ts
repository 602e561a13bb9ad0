import type { GrantTestServer } from '#contracts/http/lifetime.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { grantTestServer as decideGrant } from '#domain/billing/lifetime.ts'
import { refuseOrder, type OrderRefusal } from '#domain/billing/order-refusal.ts'
import { recordActivity } from '../../messages/notices/notify-user.ts'
import { readTemplate } from '../../cms/catalog-reader.ts'
import { chooseImages } from '../../servers/placement/choose-image.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import { accountsOfMailboxes, lockMailboxes } from '../mailboxes/mailbox-store.ts'
import { canRun, placeOnNode } from '../../servers/placement/place-on-node.ts'
import { takePorts } from '../../servers/placement/take-ports.ts'
import { priceWithoutCoupon } from '../orders/price-order.ts'
import { takeIdentifier, writeServer, writeSpec } from '../orders/write-server.ts'
import { enqueue } from '../../platform/outbox-writer.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readPerson } from '../../cms/cms-reader.ts'

export type TestGrant = { readonly caller: Caller; readonly wanted: GrantTestServer; readonly requestId: string }
export type GrantedTest = { readonly ok: true; readonly serverId: string; readonly expiresAtMs: number }
export type TestRefusal = OrderRefusal | { readonly ok: false; readonly code: 'TEST_ALREADY_HAD' }

/** Grants a customer the one test server of their mailbox for a day, without charge. The caller is a member of staff. */
export function grantTestServer(context: MoneyContext, grant: TestGrant): Promise<GrantedTest | TestRefusal> {
  return context.db.transaction((tx) => grantTestServerIn(tx, context, grant))
}

/** As `grantTestServer`, in the transaction of something that is written with it. */
export async function grantTestServerIn(
  tx: Sql,
  context: MoneyContext,
  grant: TestGrant,
): Promise<GrantedTest | TestRefusal> {
  const { wanted } = grant
  const nowMs = context.clock.now()
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`test server ${wanted.userId}`])
  const accounts = await lockMailboxes(tx, context, wanted.userId)
  const decided = decideGrant({ hadOne: await hadOne(tx, accounts), nowMs })
  if (!decided.ok) return decided
  if (!(await readPerson(tx, wanted.userId))) return refuseOrder('NOT_FOUND')
  const written = await writeTestServer(tx, context, grant)
  if (!written.ok) return written
  const { serverId } = written
  const expiresAt = new Date(decided.expiresAtMs)
  await tx.query('update control.servers set is_test = true, expires_at = $2 where id = $1', [serverId, expiresAt])
  await tx.query(
    'insert into control.test_servers (user_id, server_id, granted_by, granted_at) values ($1, $2, $3, $4)',
    [wanted.userId, serverId, grant.caller.userId, new Date(nowMs)],
  )
  return { ok: true, serverId, expiresAtMs: decided.expiresAtMs }
}

const hadOne = async (sql: Sql, accounts: readonly string[]): Promise<boolean> =>
  (await sql.query('select 1 from control.test_servers where user_id = any ($1) limit 1', [accounts])).length > 0

/** Whether a customer, or another account of their mailbox, had the test server by now. It waits for nobody: the grant decides. */
export const hadTestServer = async (sql: Sql, userId: string): Promise<boolean> =>
  hadOne(sql, await accountsOfMailboxes(sql, userId))

async function writeTestServer(
  tx: Sql,
  context: MoneyContext,
  { caller, wanted, requestId }: TestGrant,
): Promise<{ ok: true; serverId: string } | OrderRefusal> {
  const { userId, name, serviceId, packageId } = wanted
  const nowMs = context.clock.now()
  const order = await priceWithoutCoupon(tx, { serviceId, packageId, months: 1 }, { userId, nowMs })
  if (!order.ok) return order
  const templateId = order.service.server_template_id
  const template = templateId === null ? undefined : await readTemplate(tx, templateId)
  if (!template || order.service.category === 'vps') return refuseOrder('NOT_ORDERABLE')
  const node = await placeOnNode(tx, context.clock, {
    computerIds: order.service.machine_ids,
    ports: template.required_ports,
    limits: order.limits,
    canRunOn: (runtime) => canRun(template, runtime),
  })
  if (!node.ok) return node
  const images = chooseImages(template, { runtime: node.runtime, wanted: undefined })
  if (!images.ok) return images
  const identifier = await takeIdentifier(tx, context)
  const id = context.ids.next()
  const server = { id, identifier, ownerId: userId, name, node, images, order, template }
  await writeServer(tx, context, server)
  const ports = await takePorts(tx, context.ids, { node, serverId: id, count: template.required_ports })
  await writeSpec(tx, server, ports)
  await recordGrant(tx, context, { caller, userId, serverId: id })
  await enqueue(tx, context, { topic: 'provision-server', payload: { serverId: id }, requestId })
  return { ok: true, serverId: id }
}

/** The lines of the customer and of the member of staff. */
async function recordGrant(
  tx: Sql,
  context: MoneyContext,
  { caller, userId, serverId }: { caller: Caller; userId: string; serverId: string },
): Promise<void> {
  const done = { serverId, status: 'success' } as const
  await recordActivity(tx, context, { ...done, userId, type: 'server.test-granted', doneBy: 'staff' })
  const { userId: staffId, address, way } = caller
  await recordActivity(tx, context, { ...done, userId: staffId, address, way, type: 'staff.test-granted' })
}
