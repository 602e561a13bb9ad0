import { createHmac } from 'node:crypto'
import type { SpinRequest } from '#contracts/http/spin.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { accountAfterSpin, decideSpin, type SpinAccount, type SpinSource } from '#domain/prizes/wheel.ts'
import { drawPrize, isClientSeed, type Draw, type DrawSeeds, type Hmac } from '#domain/prizes/wheel-draw.ts'
import { recordActivity } from '../../messages/notices/notify-user.ts'
import { oncePerKey, type KeyRefusal } from '../../platform/once-per-key.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { lockMailboxes } from '../mailboxes/mailbox-store.ts'
import { givePrize } from './give-prize.ts'
import { promisedSeed, readWheel, type OpenWheel } from './open-wheel.ts'
import { lockSpinAccount, withFreeSpinOf, writeSpinAccount } from './spin-account.ts'

export type SpinRefusal =
  | { readonly ok: false; readonly code: 'EMAIL_NOT_VERIFIED' | 'WHEEL_DISABLED' | 'SEED_INVALID' | 'CONFLICT' }
  | { readonly ok: false; readonly code: 'NO_SPINS'; readonly nextFreeSpinAtMs: number }

export type SpinCommand = {
  readonly caller: Caller
  readonly request: SpinRequest
  readonly requestId: string
  readonly idempotencyKey: string
}

/** Fault points in the order in which they are passed. */
export const SPIN_FAULTS = ['spin.begin', 'spin.drawn', 'spin.given', 'spin.committed'] as const

const hmac: Hmac = (key, message) => createHmac('sha256', key).update(message).digest()
/** Every draw has its own seed. */
const NONCE = 1

/**
 * Spins once: the spent spin, the draw, the prize and the revealed seed are written together or not at all, and the
 * caller influences only the client seed. `answer` is the id of the spin.
 */
export async function spinWheel(
  context: MoneyContext,
  command: SpinCommand,
): Promise<{ ok: true; answer: { spinId: string }; replayed: boolean } | SpinRefusal | KeyRefusal> {
  const { caller, request, idempotencyKey: key } = command
  const result = await context.db.transaction((tx) => {
    const keyed = { scope: 'spin', userId: caller.userId, key, body: request, atMs: context.clock.now() } as const
    return oncePerKey<{ spinId: string }, SpinRefusal>(tx, keyed, async () => {
      await context.faults('spin.begin')
      if (!caller.isVerified) return { ok: false, code: 'EMAIL_NOT_VERIFIED' }
      if (!isClientSeed(request.clientSeed)) return { ok: false, code: 'SEED_INVALID' }
      return drawAndGive(tx, context, command)
    })
  })
  await context.faults('spin.committed')
  return result
}

async function drawAndGive(
  tx: Sql,
  context: MoneyContext,
  command: SpinCommand,
): Promise<{ ok: true; answer: { spinId: string } } | SpinRefusal> {
  const { userId } = command.caller
  const account = await lockAccount(tx, context, userId)
  const wheel = await readWheel(tx)
  const nowMs = context.clock.now()
  const decided = decideSpin(account, { nowMs, isEnabled: wheel.isEnabled })
  if (!decided.ok) return decided
  const promise = await promisedSeed(tx, context, userId)
  if (promise.serverSeedHash !== command.request.serverSeedHash) return { ok: false, code: 'CONFLICT' }
  const seeds = { serverSeed: promise.serverSeed, clientSeed: command.request.clientSeed, nonce: NONCE }
  const draw = drawPrize(wheel.prizes, seeds, hmac)
  const spinId = context.ids.next()
  const drawn = { ...seeds, serverSeedHash: promise.serverSeedHash, draw, wheel }
  await writeSpin(tx, { spinId, userId, nowMs, drawn, source: decided.source, key: decided.key })
  await tx.query('delete from control.spin_seeds where user_id = $1', [userId])
  await context.faults('spin.drawn')
  await settle(tx, context, { command, spinId, account, source: decided.source, drawn })
  await context.faults('spin.given')
  return { ok: true, answer: { spinId } }
}

/** The locked account, whose free spin is the one of its mailbox: stored, so that every page shows when the next is due. */
async function lockAccount(tx: Sql, context: MoneyContext, userId: string): Promise<SpinAccount> {
  const accounts = await lockMailboxes(tx, context, userId)
  const own = await lockSpinAccount(tx, userId)
  const account = await withFreeSpinOf(tx, own, accounts)
  if (account.lastFreeSpinAtMs !== own.lastFreeSpinAtMs) await writeSpinAccount(tx, account)
  return account
}

type Drawn = DrawSeeds & { readonly serverSeedHash: string; readonly draw: Draw; readonly wheel: OpenWheel }

async function writeSpin(
  tx: Sql,
  spin: {
    spinId: string
    userId: string
    nowMs: number
    drawn: Drawn
    source: SpinSource
    key: string | undefined
  },
): Promise<void> {
  const { draw, wheel, ...seeds } = spin.drawn
  await tx.query(
    `insert into control.spins (id, user_id, source, key, type, amount, prize_id, prizes, ticket, server_seed,
       server_seed_hash, client_seed, nonce, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    [
      spin.spinId,
      spin.userId,
      spin.source,
      spin.key ?? null,
      draw.prize.type,
      draw.prize.amount,
      draw.prize.id,
      JSON.stringify(wheel.prizes),
      draw.ticket,
      seeds.serverSeed,
      seeds.serverSeedHash,
      seeds.clientSeed,
      seeds.nonce,
      new Date(spin.nowMs),
    ],
  )
}

type Settled = { command: SpinCommand; spinId: string; account: SpinAccount; source: SpinSource; drawn: Drawn }

async function settle(tx: Sql, context: MoneyContext, settled: Settled): Promise<void> {
  const { command, spinId, account, source, drawn } = settled
  const { prize } = drawn.draw
  const { userId, address } = command.caller
  await writeSpinAccount(tx, accountAfterSpin(account, { source, prize, nowMs: context.clock.now() }))
  const packageId = drawn.wheel.settings.server_package_id
  await givePrize(tx, context, { spinId, userId, prize, packageId, requestId: command.requestId })
  const detail = { type: prize.type, amount: prize.amount }
  await recordActivity(tx, context, { userId, address, type: 'spin.drawn', status: 'success', detail })
}
