import { forints } from '#domain/billing/money.ts'
import { paymentMethodOf } from '../../control-plane/money/payments/payment-methods.ts'
import { openLedger } from '../../control-plane/money/ledger/ledger.ts'
import { postgresLedgerStore } from '../../control-plane/money/ledger/postgres-ledger-store.ts'
import { topUpSettled } from '../../control-plane/money/ledger/postings.ts'
import { beat } from '../../control-plane/platform/heartbeat.ts'
import { systemIds } from '#platform/ids.ts'
import { addServer, makeReachable, type ServerOptions } from './fleet.ts'
import { paymentContext } from './till.ts'
import { openWholeSite } from './whole-site.ts'

export type AccountWorld = Awaited<ReturnType<typeof openAccountWorld>>

/** A site and the control plane's data of its people, on one database as in a deployment, with a reachable node. */
export const openAccountWorld = async () => {
  const whole = await openWholeSite()
  const { site, control } = whole
  // The heartbeat's age is by the clock of the database.
  site.clock.set(Date.now())
  const payments = paymentContext(control, { now: site.clock.now })
  const beating = { db: control, clock: site.clock, paymentMethods: payments.providers.all.map(paymentMethodOf) }
  const [computerId, nodeId, templateId] = [systemIds.next(), systemIds.next(), systemIds.next()]
  await site.context.db.query(
    `insert into public.computers (id, name, ip, url, available_memory_mi_b, storage_mi_b, cores, start_port, port_count, updated_at,
       created_at) values ($1, 'pest-1', '192.0.2.1', 'http://node.test:8080', 16384, 100000, 8, 25000, 100, now(), now())`,
    [computerId],
  )
  await control.query(
    `insert into control.nodes (id, computer_id, public_key, name, memory_mib, storage_mib, cores, created_at)
     values ($1, $2, 'key', 'node', 16384, 100000, 8, now())`,
    [nodeId, computerId],
  )
  await makeReachable(control, nodeId, site.clock.now())

  const rent = (ownerId: string, options: ServerOptions = {}) =>
    addServer(control, nodeId, { ownerId, state: 'running', installed: true, ...options })
  const share = (serverId: string, userId: string, permissions: readonly string[]) =>
    control.query(
      'insert into control.server_users (server_id, user_id, permissions, created_at) values ($1, $2, $3, now())',
      [serverId, userId, permissions],
    )
  const credit = async (userId: string, amountFt: bigint) => {
    const ledger = openLedger(postgresLedgerStore(control))
    const id = systemIds.next()
    const paid = { id, provider: 'sandbox', providerPaymentId: id, userId, amount: forints(amountFt) }
    const posted = await ledger.post(
      topUpSettled({ id: systemIds.next(), atMs: site.clock.now(), actor: 'system', requestId: 'r' }, paid),
    )
    if (!posted.ok) throw new Error(posted.code)
  }
  const tell = async (userId: string, data: object = {}) => {
    const id = systemIds.next()
    await control.query(
      `insert into control.notifications (id, user_id, text, data, created_at) values ($1, $2, 'topup.successful', $3, $4)`,
      [id, userId, JSON.stringify(data), new Date(site.clock.now())],
    )
    return id
  }
  /** Ages the heartbeat by this long. */
  const fallSilent = (ms: number) =>
    control.query(
      `update control.heartbeat set stored_at = clock_timestamp() - make_interval(secs => $1::float8 / 1000)`,
      [ms],
    )
  return { ...whole, nodeId, templateId, payments, rent, share, credit, tell, fallSilent, beat: () => beat(beating) }
}
