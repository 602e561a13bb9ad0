import type { CallMeta } from './api-deps.ts'
import { ApiRefusal } from './api-refusal.ts'

const KEY = /^[\x21-\x7e]{1,200}$/

/** The key of a call that may be repeated. Throws ApiRefusal for a call without one. */
export function keyOf(meta: CallMeta): string {
  const { idempotencyKey: key } = meta
  if (key === undefined || !KEY.test(key)) throw new ApiRefusal('IDEMPOTENCY_KEY_MISSING')
  return key
}
