import { changePackage, keepPackage } from '../../control-plane/money/modification/change-package.ts'
import { quotePackages } from '../../control-plane/money/modification/quote-packages.ts'
import { revertRejected } from '../../control-plane/money/modification/revert-rejected.ts'
import { renewServer } from '../../control-plane/money/renewals/renew-server.ts'
import type { FaultPoint } from '#platform/fault-point.ts'
import { systemIds } from '#platform/ids.ts'
import { answeringNode } from './answering-node.ts'
import { openExpiring, START_MS, type Owner } from './expiring-servers.ts'
import { renewCommand } from './paid-server.ts'
import { balanceOf, callerOf, orderContext } from './shop.ts'

const text = (en: string) => JSON.stringify({ en, hu: en, de: en })

type Made = {
  name: string
  priceFt: number
  memoryMiB: number
  storageMiB?: number
  serviceId?: string
  orderable?: boolean
}

/** Servers in a package of 990 Ft, with packages for 490 and 2,970 Ft beside it, and one node for all, played by hand. */
export async function openPackages() {
  const expiring = await openExpiring()
  const { database, shop } = expiring
  const node = answeringNode(database, shop)
  const at = (nowMs: number, faults?: FaultPoint) =>
    orderContext(database.db, { now: () => nowMs, ...(faults ? { faults } : {}) })
  const packageOf = async (made: Made): Promise<string> => {
    const { name, priceFt, memoryMiB, storageMiB = 2048, serviceId = shop.serviceId, orderable = true } = made
    const id = systemIds.next()
    await database.owner.query(`insert into cms_api.packages values ($1, $2, $3, $3, $4, 100, $5, $6, $7, false)`, [
      id,
      serviceId,
      text(name),
      priceFt,
      memoryMiB,
      storageMiB,
      orderable,
    ])
    return id
  }
  const [small, large] = [
    await packageOf({ name: 'Tiny', priceFt: 490, memoryMiB: 512, storageMiB: 1024 }),
    await packageOf({ name: 'Large', priceFt: 2970, memoryMiB: 4096 }),
  ]
  const customerWith = async (restFt: bigint, { auto = false } = {}): Promise<Owner> => {
    await node.beatAt(START_MS)
    const [owner] = await expiring.ownerOf(1, { restFt, auto })
    if (!owner) throw new Error('No server was ordered.')
    return owner
  }
  const wishOf = ({ userId, serverId }: Owner, packageId: string, request: object = {}) => ({
    caller: callerOf(userId),
    serverId,
    idempotencyKey: systemIds.next(),
    requestId: 'p',
    request: { packageId, ...request },
  })
  const changed = async (owner: Owner, packageId: string, nowMs = START_MS, request: object = {}) => {
    await node.beatAt(nowMs)
    return changePackage(at(nowMs), wishOf(owner, packageId, request))
  }
  const kept = ({ userId, serverId }: Owner, nowMs = START_MS) =>
    keepPackage(at(nowMs), { caller: callerOf(userId), serverId })
  const quoted = async ({ userId, serverId }: Owner, nowMs = START_MS) => {
    const result = await quotePackages(at(nowMs), { caller: callerOf(userId), serverId })
    if (!result.ok) throw new Error(result.code)
    return result.packages
  }
  const renewed = (owner: Owner, nowMs: number) => renewServer(at(nowMs), renewCommand(owner))
  const sizeOf = async ({ serverId }: Owner) =>
    (
      await database.owner.query<Record<string, unknown>>(
        `select package_id as "packageId", monthly_price_ft::int as monthly, memory_mib as memory, storage_mib as storage,
           (spec -> 'limits' ->> 'memoryMiB')::int as sent, planned_package_id as planned from control.servers where id = $1`,
        [serverId],
      )
    )[0]
  const moneyOf = async ({ userId }: Owner) => (await balanceOf(database.db, userId)).available
  const activitiesOf = async ({ serverId }: Owner): Promise<string[]> => {
    const rows = await database.owner.query<{ type: string }>(
      `select type from control.activities where server_id = $1 and type like 'server.%' order by id`,
      [serverId],
    )
    return rows.map(({ type }) => type)
  }
  const reverted = (nowMs: number) => revertRejected(at(nowMs))
  return {
    ...expiring,
    node,
    at,
    small,
    large,
    packageOf,
    customerWith,
    wishOf,
    changed,
    kept,
    quoted,
    renewed,
    sizeOf,
    moneyOf,
    activitiesOf,
    reverted,
  }
}
