import { isUuid } from '#domain/kernel/uuid.ts'
import type { Context } from '../../platform/context.ts'

/** Strangers can trigger this query, so each part of it uses an index. */
export const PAYMENT_NAMED = `select id from control.payments where provider = $1 and provider_payment_id = any ($2::text[])
  union all select id from control.payments where provider = $1 and id = any ($3::uuid[])
  union all select payment_id from control.refunds where provider = $1 and id = any ($3::uuid[]) limit 1`

/** The payment with one of these ids: our own, the provider's, or that of a refund. */
export const paymentNamed =
  ({ db }: Context, provider: string) =>
  async (names: readonly string[]): Promise<string | undefined> => {
    const own = names.filter(isUuid)
    const [row] = await db.query<{ id: string }>(PAYMENT_NAMED, [provider, names, own])
    return row?.id
  }
