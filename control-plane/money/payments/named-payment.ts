import { isUuid } from '#domain/kernel/uuid.ts'
import type { Context } from '../../platform/context.ts'

/** Strangers cause this question, so each part of it is answered by an index. */
export const PAYMENT_NAMED = `select id from control.payments where provider = $1 and provider_payment_id = any ($2::text[])
  union all select id from control.payments where provider = $1 and id = any ($3::uuid[])
  union all select payment_id from control.refunds where provider = $1 and id = any ($3::uuid[]) limit 1`

/** The payment at a provider that one of these names belongs to: its own id, the provider's, or that of a refund of it. */
export const paymentNamed =
  ({ db }: Context, provider: string) =>
  async (names: readonly string[]): Promise<string | undefined> => {
    const own = names.filter(isUuid)
    const [row] = await db.query<{ id: string }>(PAYMENT_NAMED, [provider, names, own])
    return row?.id
  }
