import { expect } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { bonusGranted } from '../../control-plane/money/ledger/postings.ts'
import { modifyServer } from '../../control-plane/money/modification/modify-server.ts'
import { revertRejected } from '../../control-plane/money/modification/revert-rejected.ts'
import { systemIds } from '#platform/ids.ts'
import { answeringNode } from './answering-node.ts'
import type { ControlDatabase } from './control-database.ts'
import { balanceOf, callerOf, credit, openShop, orderContext, shopDatabase, type Shop } from './shop.ts'
import { sizedServer } from './sized-server.ts'

const START_MS = Date.UTC(2026, 5, 1)
// 1000 Ft for a processor, 500 for each GiB of memory: 1500, 3000 and 4500 Ft a month.
export const SMALL = { cpuPercent: 100, ramMiB: 1024, storageMiB: 1024 }
export const LARGE = { cpuPercent: 200, ramMiB: 2048, storageMiB: 1024 }
export const HUGE = { cpuPercent: 300, ramMiB: 3072, storageMiB: 1024 }
/** The stored size of such a server, and the size sent to its node. */
export const IN_SMALL = { memory: 1024, sent: 1024, cpu: 100, monthly: 1500n, desired: 'installed' }
export const IN_LARGE = { memory: 2048, sent: 2048, cpu: 200, monthly: 3000n, desired: 'installed' }

export type Customer = { readonly userId: string; readonly serverId: string }

/** A service that is sold by size. */
export async function sellSizes(owner: ControlDatabase['owner']): Promise<void> {
  const range = (step: number, unitPriceFt: number) => ({ minimum: step, maximum: 8 * step, step, unitPriceFt })
  const resources = { cpuPercent: range(100, 1000), ramMiB: range(1024, 500), storageMiB: range(1024, 0) }
  await owner.query('update cms_api.services set resources = $1', [JSON.stringify(resources)])
}

/** Customers whose servers change their size, with one node for all, played by hand. */
export async function openSizes() {
  const database = await shopDatabase()
  const shop = await openShop(database.owner, { portCount: 1000, memoryMiB: 1_000_000 })
  await sellSizes(database.owner)
  return { database, shop, ...playing(database, answeringNode(database, shop), shop) }
}

function playing(database: ControlDatabase, node: ReturnType<typeof answeringNode>, shop: Shop) {
  const at = (nowMs: number) => orderContext(database.db, { now: () => nowMs })
  const connectedAt = (atMs: number) =>
    database.owner.query('update control.agent_sessions set connected_at = $1, session_id = gen_random_uuid()', [
      new Date(atMs),
    ])
  /** Pending resizes of one case must not affect the next. */
  const rest = async () => {
    expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
    await database.owner.query('delete from control.commands')
    await connectedAt(START_MS)
  }
  /** Runs the job while the node is connected. */
  const lookedAt = async (nowMs: number): Promise<number> => {
    await node.beatAt(nowMs)
    const { reversed, failed } = await revertRejected(at(nowMs))
    expect(failed).toBe(0)
    return reversed
  }
  /** A customer with a running server of the small size, and the given balance. */
  const customerWith = async (restFt: bigint, bonusFt = 0n): Promise<Customer> => {
    await node.beatAt(START_MS)
    const customer = await sizedServer(database.db, { shop, nowMs: START_MS })
    if (restFt > 1500n) await credit(database.db, { userId: customer.userId, amountFt: restFt - 1500n })
    if (bonusFt === 0n) return customer
    const origin = { id: systemIds.next(), atMs: START_MS, actor: 'system', requestId: 'r' }
    const grant = { id: systemIds.next(), userId: customer.userId, amount: forints(bonusFt), reason: 'Welcome' }
    await at(START_MS).ledgerOn(database.db).post(bonusGranted(origin, grant))
    return customer
  }
  const resized = async ({ userId, serverId }: Customer, resources: typeof SMALL, nowMs = START_MS) => {
    await node.beatAt(nowMs)
    return modifyServer(at(nowMs), {
      caller: callerOf(userId),
      serverId,
      idempotencyKey: systemIds.next(),
      requestId: 'm',
      request: { resources },
    })
  }
  const asked = async ({ serverId }: Customer, nowMs = START_MS) =>
    expect(await node.askedAt(serverId, nowMs)).toEqual({ do: 'step', step: { kind: 'update' } })
  /** Requests another size, which is refused. */
  const refused = async (customer: Customer, resources = LARGE, nowMs = START_MS): Promise<void> => {
    expect(await resized(customer, resources, nowMs)).toMatchObject({ ok: true })
    await asked(customer, nowMs)
    await node.says(customer.serverId, nowMs, { refusal: 'INTERNAL' })
  }
  return { node, at, connectedAt, rest, lookedAt, customerWith, resized, asked, refused, ...looks(database) }
}

function looks(database: ControlDatabase) {
  const rowsOf = ({ userId }: Customer, query: string) => database.owner.query(query, [userId])
  const serverOf = async ({ serverId }: Customer) =>
    (
      await database.owner.query<Record<string, unknown>>(
        `select s.memory_mib as memory, s.cpu_percent as cpu, s.monthly_price_ft as monthly, s.generation, s.desired,
           (s.spec -> 'limits' ->> 'memoryMiB')::int as sent, (s.spec ->> 'generation')::int as said
         from control.servers s where s.id = $1`,
        [serverId],
      )
    )[0]
  const moneyOf = async ({ userId }: Customer) => (await balanceOf(database.db, userId)).available
  const keysOf = (customer: Customer) =>
    rowsOf(
      customer,
      `select distinct t.idempotency_key as key from control.ledger_transactions t
         join control.ledger_entries e on e.tx_id = t.id join control.ledger_accounts a on a.id = e.account_id
       where a.owner_id = $1 and t.idempotency_key like '%:rejected'`,
    )
  return { rowsOf, serverOf, moneyOf, keysOf }
}
