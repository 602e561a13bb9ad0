import * as z from 'zod'
import { Id, MAX_ITEMS } from '../primitives.ts'

/** Lists: newest first, at most 1,000, `before` is the id of the caller's last item. */
export const Paging = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_ITEMS).optional(),
  before: Id.optional(),
})
