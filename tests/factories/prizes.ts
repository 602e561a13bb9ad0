import { createHash, createHmac } from 'node:crypto'
import type { WheelPrize } from '#domain/prizes/wheel.ts'
import type { DrawCrypto } from '#domain/prizes/wheel-draw.ts'
import type { MoneyContext } from '../../control-plane/money/ledger/money-context.ts'
import { systemIds } from '#platform/ids.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { spinWheel } from '../../control-plane/money/wheel/spin.ts'
import { viewWheel } from '../../control-plane/money/wheel/wheel-view.ts'
import { callerOf } from './shop.ts'

export const prize = (type: WheelPrize['type'], amount = 0, weight = 1): WheelPrize => ({
  id: `${type}-${amount}`,
  type,
  amount,
  weight,
})

/** Publishes a wheel, with spins on sale or not. */
export async function setWheel(
  owner: Sql,
  prizes: readonly WheelPrize[],
  settings: { buying?: boolean; packageId?: string | null; blocked?: readonly string[] } = {},
): Promise<void> {
  const { buying = true, packageId = null, blocked = [] } = settings
  await owner.query(
    'update cms_api.prize_wheel set prizes = $1, buying = $2, server_package_id = $3, blocked_countries = $4',
    [JSON.stringify(prizes), buying, packageId, blocked],
  )
}

/** A spin as the page does it: read the promise, then spin. */
export async function spinOnce(context: MoneyContext, userId: string, key: string = systemIds.next()) {
  const caller = callerOf(userId)
  const { serverSeedHash } = await viewWheel(context, caller)
  return spinWheel(context, {
    caller,
    requestId: 'request-1',
    idempotencyKey: key,
    request: { clientSeed: 'my-seed', serverSeedHash: serverSeedHash ?? '' },
  })
}

export const nodeCrypto: DrawCrypto = {
  hmac: (key, message) => createHmac('sha256', key).update(message).digest(),
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
}
