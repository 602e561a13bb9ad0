import { BEAT_EVERY_MS } from '#contracts/control-api/freshness.ts'
import type { PaymentMethod } from '#contracts/http/payment.ts'
import type { Context } from './context.ts'

type Beating = Pick<Context, 'db' | 'clock' | 'log'> & { readonly paymentMethods: readonly PaymentMethod[] }

/**
 * Records that a control plane is running, and its payment methods. Readers of schema `control_api` derive the age of
 * their data from it.
 */
export async function beat({ db, clock, paymentMethods }: Omit<Beating, 'log'>): Promise<void> {
  await db.query(
    `insert into control.heartbeat (beaten_at, stored_at, payment_methods) values ($1, clock_timestamp(), $2)
     on conflict (only_row) do update set beaten_at = excluded.beaten_at, stored_at = excluded.stored_at,
       payment_methods = excluded.payment_methods`,
    [new Date(clock.now()), JSON.stringify(paymentMethods)],
  )
}

/** Beats now and every few seconds. Returns the stop function. */
export async function startHeartbeat(beating: Beating): Promise<() => void> {
  const beatOnce = () =>
    beat(beating).catch((error: unknown) => beating.log.warn({ reason: String(error) }, 'the heartbeat is not written'))
  await beatOnce()
  const timer = setInterval(() => void beatOnce(), BEAT_EVERY_MS)
  return () => clearInterval(timer)
}
