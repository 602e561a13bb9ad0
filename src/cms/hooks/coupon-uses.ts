import { sql } from '@payloadcms/db-postgres'
import type { FieldHook, PayloadRequest } from 'payload'

const KNOWN = 'couponUses'

/**
 * How often each coupon was used or is reserved, from the control plane's tables; a database without them has no
 * counts.
 */
async function readUses({ payload }: PayloadRequest): Promise<ReadonlyMap<string, number>> {
  const { drizzle } = payload.db
  const there = await drizzle.execute(sql`select to_regclass('control.coupon_uses') is not null as there`)
  if (there.rows[0]?.['there'] !== true) return new Map()
  const { rows } = await drizzle.execute(sql`select coupon_id, uses from control.coupon_uses`)
  return new Map(rows.map((row) => [String(row['coupon_id']), Number(row['uses'])]))
}

/** Adds the number when a coupon is read; a list reads all of its rows at once. */
export const showUses: FieldHook = async ({ data, originalDoc, req }) => {
  const id: unknown = data?.['id'] ?? (originalDoc as { id?: unknown } | undefined)?.id
  if (typeof id !== 'string') return 0
  req.context[KNOWN] ??= readUses(req)
  const uses = await (req.context[KNOWN] as Promise<ReadonlyMap<string, number>>)
  return uses.get(id) ?? 0
}
