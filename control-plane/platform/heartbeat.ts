import { BEAT_EVERY_MS } from '#contracts/control-api/freshness.ts'
import type { PaymentMethod } from '#contracts/http/payment.ts'
import type { Context } from './context.ts'

type Beating = Pick<Context, 'db' | 'clock' | 'log'> & { readonly paymentMethods: readonly PaymentMethod[] }

/**
 * Writes that a control plane runs now, and what it lets customers pay with. Readers of schema `control_api` tell the age of their answers by it.
 */
export async function beat({ db, clock, paymentMethods }: Omit<Beating, 'log'>): Promise<void> {
  await db.query(
    `insert into control.heartbeat (beaten_at, stored_at, payment_methods) values ($1, clock_timestamp(), $2)
     on conflict (only_row) do update set beaten_at = excluded.beaten_at, stored_at = excluded.stored_at,
       payment_methods = excluded.payment_methods`,
    [new Date(clock.now()), JSON.stringify(paymentMethods)],
  )
}

/** Beats now and every few seconds. Returns what ends it. */
export async function startHeartbeat(beating: Beating): Promise<() => void> {
  const beatOnce = () =>
    beat(beating).catch((error: unknown) => beating.log.warn({ reason: String(error) }, 'the heartbeat is not written'))
  await beatOnce()
  const timer = setInterval(() => void beatOnce(), BEAT_EVERY_MS)
  return () => clearInterval(timer)
}
